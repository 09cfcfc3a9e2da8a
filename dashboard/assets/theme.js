// The theme switch. Without a choice the system's theme holds; the choice is remembered where there is a storage.

const KEY = 'backstay.theme';

export function watchTheme(select) {
  select.value = document.documentElement.dataset.theme ?? '';
  select.addEventListener('change', () => {
    const theme = select.value;
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    remember(KEY, theme);
  });
}

/** Keeps a choice for the next visit. A browser that forbids it keeps the choice as long as the page is open. */
export function remember(key, value) {
  try {
    if (value) localStorage.setItem(key, value);
    else localStorage.removeItem(key);
  } catch {
    // The choice holds for this visit.
  }
}

/** A choice of an earlier visit, or "". */
export function recall(key) {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}
