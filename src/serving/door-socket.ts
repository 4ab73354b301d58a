import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import { basename, dirname, join, parse, resolve } from "node:path";
import { PodsError } from "../errors/pods-error.js";
import { printable } from "../printable.js";
import { socketCandidates, socketIdentity } from "../wire/socket-path.js";
import { groupID } from "./group.js";

/** The place of a door: where it is, and who may enter. */
export interface DoorPlace {
  /** An absolute path. Its directory is made (0750, of the door's group) where it is not there. */
  readonly path: string;
  /**
   * The permissions of the socket: who may connect needs the write bit.
   *
   * @default 0o660
   */
  readonly mode?: number | undefined;
  /**
   * The group of the socket, by number or by its name in /etc/group.
   *
   * @default the group of this process
   */
  readonly group?: number | string | undefined;
}

/**
 * A Unix socket that strangers may connect to. It is bound in a private directory, and renamed to its place when it has its owner
 * and its permissions: nobody connects before, and an elder door at the place goes on with the connections that it has. The file
 * stays behind, as a kubelet's does: to remove it would race with whoever renames the next one there.
 */
export class DoorSocket {
  readonly path: string;
  readonly #mode: number;
  readonly #group: number | undefined;
  readonly #maxConnections: number;
  readonly #onConnection: (socket: net.Socket) => void;
  readonly #connections = new Set<net.Socket>();
  #listener: net.Server | undefined;
  #identity: string | undefined;
  #refused = 0;

  /** @throws PodsError `invalid-path` and `invalid-argument`; nothing is made yet. */
  constructor(place: DoorPlace, maxConnections: number, onConnection: (socket: net.Socket) => void) {
    const { path, mode = 0o660, group } = place;
    if (parse(path).root === "" || resolve(path) !== path) throw refused(path, "is no absolute path in its plain form");
    for (const each of [path, join(dirname(path), `${PRIVATE}XXXXXX`, "s")]) socketCandidates({ socketPath: each });
    if (!Number.isInteger(mode) || mode < 0 || mode > 0o777) {
      throw new PodsError({ code: "invalid-argument", message: "mode: not from 0 to 0o777", hint: "0o660" });
    }
    this.path = path;
    this.#mode = mode;
    this.#group = groupID(group);
    this.#maxConnections = maxConnections;
    this.#onConnection = onConnection;
  }

  /** How many connections there are. */
  get connections(): number {
    return this.#connections.size;
  }

  /** How many connections were refused because there were too many. */
  get refused(): number {
    return this.#refused;
  }

  /** Whether the socket at the path is the one that was put there. */
  get isInPlace(): boolean {
    return this.#identity !== undefined && socketIdentity(this.path) === this.#identity;
  }

  /**
   * Listens, in the place of a door that is there. Called again, it puts a new socket there; who is connected stays.
   *
   * @param since since when the socket's file says that it has been there; by default from now on.
   * @throws PodsError `invalid-path` where the directory, or what lies at the path, is not to be trusted; `not-permitted`.
   */
  async listen(since?: Date): Promise<void> {
    try {
      this.#prepare();
      await this.#put(since);
    } catch (error) {
      throw described(error, this.path);
    }
  }

  /** Lets nobody in any more. Who is connected stays. */
  stop(): void {
    this.#listener?.close();
    this.#listener = undefined;
  }

  /** Ends all connections at once. */
  destroyConnections(): void {
    for (const connection of this.#connections) connection.destroy();
  }

  /** Makes the directory where it is not there, and looks at all that leads to the door. */
  #prepare(): void {
    const directory = dirname(this.path);
    if (fs.lstatSync(directory, { throwIfNoEntry: false }) === undefined) {
      checkWay(dirname(directory), this.path);
      fs.mkdirSync(directory, { mode: 0o700 });
      if (this.#group !== undefined) fs.chownSync(directory, -1, this.#group);
      fs.chmodSync(directory, 0o750);
    }
    if (fs.lstatSync(directory).isSymbolicLink()) throw refused(directory, "is a link");
    checkWay(directory, this.path);
    const there = fs.lstatSync(this.path, { throwIfNoEntry: false });
    if (there === undefined) return;
    if (!there.isSocket()) throw refused(this.path, "is something else than a socket");
    if (!isTrusted(there.uid)) throw refused(this.path, `belongs to somebody else (uid ${there.uid})`);
  }

  async #put(since: Date | undefined): Promise<void> {
    const own = fs.mkdtempSync(join(dirname(this.path), PRIVATE)); // 0700
    const bound = join(own, "s");
    try {
      const listener = net.createServer((socket) => this.#accept(socket));
      listener.listen(bound);
      await once(listener, "listening");
      listener.on("error", () => {}); // one connection that cannot be accepted
      try {
        if (this.#group !== undefined) fs.chownSync(bound, -1, this.#group);
        fs.chmodSync(bound, this.#mode);
        if (since !== undefined) fs.utimesSync(bound, since, since);
        const identity = socketIdentity(bound);
        fs.renameSync(bound, this.path);
        this.#identity = identity;
      } catch (error) {
        listener.close();
        throw error;
      }
      this.stop();
      this.#listener = listener;
    } finally {
      fs.rmSync(own, { recursive: true, force: true });
    }
  }

  #accept(socket: net.Socket): void {
    socket.on("error", () => {});
    if (this.#connections.size >= this.#maxConnections) {
      this.#refused++;
      socket.destroy();
      return;
    }
    this.#connections.add(socket);
    socket.once("close", () => this.#connections.delete(socket));
    this.#onConnection(socket);
  }
}

/** The most links that the kernel follows. */
const MAX_LINKS = 40;

/** The private directory's name begins so; six characters follow. */
const PRIVATE = ".door-";

function isTrusted(uid: number): boolean {
  return uid === 0 || uid === process.geteuid?.();
}

/**
 * Looks at each directory on the way: whoever may write to one can put another door there.
 *
 * @throws PodsError `invalid-path`.
 */
function checkWay(directory: string, door: string, links = 0): void {
  if (links > MAX_LINKS) throw refused(directory, "leads over too many links", door);
  for (const start of new Set([directory, fs.realpathSync(directory)])) {
    for (let each = start; ; each = dirname(each)) {
      const stat = fs.lstatSync(each);
      if (!isTrusted(stat.uid)) throw refused(each, `belongs to somebody else (uid ${stat.uid})`, door);
      // In a sticky directory others cannot rename what is not theirs; the last one holds the door, and is to be nobody else's.
      const isShared = (stat.mode & 0o022) !== 0 && !stat.isSymbolicLink();
      if (isShared && ((stat.mode & 0o1000) === 0 || each === start))
        throw refused(each, "may be written by others", door);
      // Who may change a link on the way may lead it elsewhere.
      if (stat.isSymbolicLink()) checkWay(resolve(dirname(each), fs.readlinkSync(each)), door, links + 1);
      if (each === dirname(each)) break;
    }
  }
}

function refused(path: string, why: string, door = path): PodsError {
  const hint = "a door stands in a directory that this process or root owns, and nobody else may write to";
  return new PodsError({
    code: "invalid-path",
    message: `${printable(path, 200)} ${why}`,
    socketPath: door,
    hint,
  });
}

function described(error: unknown, path: string): unknown {
  if (PodsError.is(error)) return error;
  const { code = "", syscall = "" } = error as NodeJS.ErrnoException;
  const isForbidden = code === "EACCES" || code === "EPERM" || code === "EROFS";
  const message = `cannot put ${printable(basename(path), 100)} in its place (${syscall} ${code})`;
  const hint = isForbidden ? "to give it to a group, this process has to be root or a member" : "";
  return new PodsError({
    code: isForbidden ? "not-permitted" : "invalid-path",
    message,
    hint,
    socketPath: path,
    cause: error,
  });
}
