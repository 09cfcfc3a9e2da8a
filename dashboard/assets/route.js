// The selected method is in the address, as #CardGateway@Charge, so that it can be sent to a colleague and the back button
// works.

/** The method of a hash; "" where none is selected. */
export function refOf(hash) {
  const written = hash.replace(/^#/, '');
  try {
    return decodeURIComponent(written);
  } catch {
    return written; // not something that hashOf has written
  }
}

/** The hash of a method. What cannot be mistaken stays readable. */
export const hashOf = (ref) => `#${encodeURIComponent(ref).replaceAll('%40', '@')}`;

/** Calls back with the selected method, now and whenever it changes. */
export function watchRoute(onRef) {
  const tell = () => onRef(refOf(location.hash));
  addEventListener('hashchange', tell);
  tell();
}

/** Selects nothing, as a step that the back button undoes. */
export function clearRoute() {
  if (location.hash.length > 1) location.hash = '';
}
