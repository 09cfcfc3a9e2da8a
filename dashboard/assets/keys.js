// The keyboard: "/" searches, arrow keys move among methods, Escape steps back. All else is links and buttons.

import { clearRoute } from './route.js';

const $ = (id) => document.getElementById(id);

export function watchKeys({ onEnter }) {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const writing = event.target.closest?.('input[type=search], select, textarea');
    if (event.key === '/' && !writing) {
      event.preventDefault();
      clearDetailOnPhone();
      $('search').focus();
      $('search').select();
    } else if (event.key === 'Escape') {
      escape(event);
    } else if (event.target === $('search')) {
      if (event.key === 'Enter') onEnter();
      if (event.key === 'ArrowDown') step(event, rows().find((row) => !row.closest('[data-dimmed]')));
    } else if (event.target.matches?.('#stage .row') && event.key.startsWith('Arrow')) {
      step(event, next(event.target, event.key));
    } else if (event.target.matches?.('#stage .row') && (event.key === 'Home' || event.key === 'End')) {
      step(event, rows().at(event.key === 'Home' ? 0 : -1));
    }
  });
  // A link to a part of the page must not take the place of the selected method in the address.
  for (const link of document.querySelectorAll('[data-skip]')) {
    link.addEventListener('click', (event) => {
      event.preventDefault();
      $(link.dataset.skip).focus();
    });
  }
}

const rows = () => [...document.querySelectorAll('#stage .row')];

function step(event, to) {
  if (!to) return;
  event.preventDefault();
  to.focus();
}

// In the list the next row; in the graph the nearest one in that direction.
function next(from, key) {
  const all = rows();
  if (document.body.dataset.view === 'list') return all[all.indexOf(from) + ({ ArrowDown: 1, ArrowUp: -1 }[key] ?? 0)];
  const here = from.getBoundingClientRect();
  const [dx, dy] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key] ?? [0, 0];
  let best = null;
  let least = Infinity;
  for (const row of all) {
    if (row === from) continue;
    const there = row.getBoundingClientRect();
    const x = (there.left + there.right - here.left - here.right) / 2;
    const y = (there.top + there.bottom - here.top - here.bottom) / 2;
    const ahead = x * dx + y * dy;
    const aside = Math.abs(x * dy) + Math.abs(y * dx);
    if (ahead > 4 && ahead + 3 * aside < least) [least, best] = [ahead + 3 * aside, row];
  }
  return best;
}

function escape(event) {
  const search = $('search');
  const key = document.querySelector('.key[open]');
  if (key) key.open = false;
  else if (event.target === search && search.value) {
    search.value = '';
    search.dispatchEvent(new Event('input', { bubbles: true }));
  } else if (event.target === search) search.blur();
  else clearRoute();
}

function clearDetailOnPhone() {
  if (matchMedia('(max-width: 719px)').matches) clearRoute();
}
