/** Cards are dragged, with a mouse, a pen or a finger: onto a seat, from one, from seat to seat. */

import { put } from "../common/frame.js";

const MOVED_PX = 6;

/**
 * Let a card be dragged.
 * @param {HTMLElement} card
 * @param {object} how
 * @param {number|null} how.from the seat it lies at, null for one that lies at none
 * @param {import("./acts.js").Acts} how.acts
 * @param {() => boolean} [how.lies] whether there is a card to drag
 */
export function dragCard(card, { from, acts, lies = () => true }) {
  let drag = null;
  card.addEventListener("pointerdown", (event) => {
    if (event.button === 0 && lies()) {
      card.setPointerCapture(event.pointerId);
      drag = { x: event.clientX, y: event.clientY, ghost: null };
    }
  });
  card.addEventListener("pointermove", (event) => {
    if (drag === null) {
      return;
    }
    if (drag.ghost === null && farFrom(drag, event)) {
      drag.ghost = lift(card);
    }
    if (drag.ghost !== null) {
      carry(drag.ghost, event);
    }
  });
  const end = (event) => {
    const done = drag;
    drag = null;
    done?.ghost?.remove();
    card.classList.remove("lifted");
    pointOut(null);
    if (done?.ghost && event.type === "pointerup") {
      drop(from, seatUnder(event), acts);
    }
  };
  card.addEventListener("pointerup", end);
  card.addEventListener("pointercancel", end);
}

function farFrom(drag, event) {
  return Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > MOVED_PX;
}

function lift(card) {
  card.classList.add("lifted");
  return put("div", "card-ghost", document.body);
}

function carry(ghost, event) {
  ghost.style.left = `${event.clientX}px`;
  ghost.style.top = `${event.clientY}px`;
  pointOut(seatUnder(event));
}

function pointOut(seat) {
  for (const other of document.querySelectorAll(".seat.under-card")) {
    other.classList.remove("under-card");
  }
  seat?.classList.add("under-card");
}

function seatUnder(event) {
  const under = document.elementFromPoint(event.clientX, event.clientY);
  return under?.closest(".seat") ?? null;
}

function drop(from, seat, acts) {
  const to = seat ? Number(seat.dataset.seat) : null;
  if (from !== null && to !== from) {
    acts.do(`uncover ${from}`);
  }
  if (to !== null && to !== from) {
    acts.do(`cover ${to}`, seat);
  }
}
