/**
 * The socket to the table: it reconnects by itself, and reports when the table is lost.
 *
 * The table is lost, and the page stale, when no message has come for LOST_AFTER_MS, or when the
 * server says so ("lost"); it is back with the next state. A connection that stays silent is
 * closed, because a pulled cable or a lost radio does not close it.
 */

const LOST_AFTER_MS = 3000;
const GIVEN_UP_AFTER_MS = 8000;
const LOOK_EVERY_MS = 250;
const AGAIN_AFTER_MS = [500, 1000, 2000, 3000, 4000, 5000];
const STATES = new Set(["snapshot", "jackpot", "road", "clock", "room", "tournaments"]);

/**
 * The callbacks of a page.
 * @typedef {object} Listener
 * @property {(message: any) => void} onMessage every message but heartbeats; it has a `kind`
 * @property {(heartbeat: any) => void} [onHeartbeat] each second, while nothing else needs telling
 * @property {(there: boolean, lastHeard: Date) => void} onChanged the table is there, or lost; when it was
 *   heard last by the clock on the wall, which goes on while a machine sleeps
 * @property {(code: number, reason: string) => void} [onClosed] the socket was closed; a page that
 *   must not come back (a session that has ended) calls `close`
 */

/** One viewer of one path, as long as its page is open. */
export class Live {
  /**
   * @param {string} path such as "/live/sign"
   * @param {Listener} listener
   */
  constructor(path, listener) {
    this.path = path;
    this.listener = listener;
    this.socket = null;
    this.failures = 0;
    this.there = null;
    this.reportedLost = false;
    this.heardAt = performance.now();
    this.lastHeard = new Date();
    this.ended = false;
    this.look = setInterval(() => this.#look(), LOOK_EVERY_MS);
    this.#connect();
  }

  /**
   * Send one message; false where there is no connection to send it on.
   * @param {object} message
   */
  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) {
      return false;
    }
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Close the connection for good. */
  close() {
    this.ended = true;
    clearInterval(this.look);
    clearTimeout(this.again);
    this.socket?.close();
  }

  #connect() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${this.path}`);
    this.socket = socket;
    this.triedAt = performance.now();
    socket.addEventListener("message", (event) => {
      if (socket === this.socket) {
        this.#onMessage(JSON.parse(event.data));
      }
    });
    socket.addEventListener("close", (event) => {
      if (socket === this.socket) {
        this.#comeBack(event);
      }
    });
  }

  #onMessage(message) {
    this.heardAt = performance.now();
    this.lastHeard = new Date();
    this.failures = 0;
    if (message.kind === "heartbeat") {
      this.#look();
      this.listener.onHeartbeat?.(message);
      return;
    }
    if (message.kind === "lost") {
      this.reportedLost = true;
    } else if (STATES.has(message.kind)) {
      this.reportedLost = false;
      this.#setThere(true);
    }
    this.#look();
    this.listener.onMessage(message);
  }

  #comeBack(event) {
    this.socket = null;
    if (this.ended) {
      return;
    }
    const after = AGAIN_AFTER_MS[Math.min(this.failures, AGAIN_AFTER_MS.length - 1)];
    this.failures += 1;
    this.again = setTimeout(() => this.#connect(), after);
    this.listener.onClosed?.(event.code, event.reason);
  }

  #look() {
    if (this.reportedLost || performance.now() - this.heardAt > LOST_AFTER_MS) {
      this.#setThere(false);
    }
    const silent = performance.now() - Math.max(this.heardAt, this.triedAt);
    if (this.socket !== null && silent > GIVEN_UP_AFTER_MS) {
      const socket = this.socket;
      this.#comeBack({ code: 1006, reason: "" });
      socket.close();
    }
  }

  #setThere(there) {
    if (there !== this.there) {
      this.there = there;
      this.listener.onChanged(there, this.lastHeard);
    }
  }
}
