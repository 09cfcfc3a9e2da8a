package aspects

import "errors"

// ErrAborted stands for the outcome of a call that did not return: it was ended by a panic or by runtime.Goexit, which go on
// unchanged. [LoggingAspect] and [TimingAspect] tell it to those who ask for the outcome; no caller ever gets it.
var ErrAborted = errors.New("the call was ended by a panic or runtime.Goexit")
