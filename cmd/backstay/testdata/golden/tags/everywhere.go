package tags

// Name is there on every system.
const Name = "tags"
