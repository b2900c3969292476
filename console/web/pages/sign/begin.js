/**
 * The sign's scripts are loaded after the first paint: the amount is in the HTML already, and nothing
 * may delay it.
 */

const AGAIN_AFTER_MS = 2000;

requestAnimationFrame(() => setTimeout(begin));

async function begin() {
  try {
    await import("./sign.js");
  } catch (error) {
    console.warn(`the sign's script was not loaded: ${error}`);
    document.documentElement.classList.add("gone");
    // Without its script the sign follows no table: the amount is what it was when it was sent.
    const notice = document.getElementById("gone");
    notice.textContent = notice.dataset.text;
    setTimeout(reload, AGAIN_AFTER_MS);
  }
}

/** Reload once the table serves its pages again; before that there would be only an error page. */
async function reload() {
  try {
    const answer = await fetch(location.href);
    if (answer.ok) {
      location.reload();
      return;
    }
  } catch (error) {
    console.warn(`the table is not there yet: ${error}`);
  }
  setTimeout(reload, AGAIN_AFTER_MS);
}
