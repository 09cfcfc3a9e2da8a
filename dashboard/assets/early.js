// Runs before the first paint, so that a page that is switched to dark never flashes light.
(() => {
  try {
    const theme = localStorage.getItem('backstay.theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // No storage is to be had: the system's theme holds.
  }
})();
