import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import { basename, dirname, join, parse, resolve } from "node:path";
import { PodsError } from "../errors/pods-error.js";
import { printable } from "../printable.js";
import { socketCandidates, socketIdentity } from "../wire/socket-path.js";
import { groupID } from "./group.js";

/** Where a door is, and who may connect. */
export interface DoorPlace {
  /** An absolute path. Its directory is made (0750, of the door's group) if it does not exist. */
  readonly path: string;
  /**
   * The permissions of the socket. To connect, a reader needs the write bit.
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
 * A Unix socket that strangers may connect to. It is bound in a private directory, and renamed to its path once it has its owner and
 * permissions, so that nobody can connect before. An older door at the path keeps its connections. The file is never removed, like a
 * kubelet's: removing it would race with the next door that is renamed there.
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

  /** @throws PodsError `invalid-path` and `invalid-argument`. It makes no file yet. */
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

  /** The number of open connections. */
  get connections(): number {
    return this.#connections.size;
  }

  /** How many connections were refused because there were too many. */
  get refused(): number {
    return this.#refused;
  }

  /** True if the socket at the path is still this door's. */
  get isInPlace(): boolean {
    return this.#identity !== undefined && socketIdentity(this.path) === this.#identity;
  }

  /**
   * Listens, and replaces a door that is already at the path. Another call puts a new socket there; open connections stay.
   *
   * @param since the age that the socket's file shows; by default it is new.
   * @throws PodsError `invalid-path` if the directory, or the file at the path, cannot be trusted; `not-permitted`.
   */
  async listen(since?: Date): Promise<void> {
    try {
      this.#prepare();
      await this.#put(since);
    } catch (error) {
      throw described(error, this.path);
    }
  }

  /** Accepts no more connections. Open ones stay. */
  stop(): void {
    this.#listener?.close();
    this.#listener = undefined;
  }

  /** Ends all connections at once. */
  destroyConnections(): void {
    for (const connection of this.#connections) connection.destroy();
  }

  /** Makes the directory if it does not exist, and checks each directory on the way to it. */
  #prepare(): void {
    const directory = dirname(this.path);
    if (fs.lstatSync(directory, { throwIfNoEntry: false }) === undefined) {
      checkWay(dirname(directory), this.path, false);
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
      listener.on("error", () => {}); // one connection could not be accepted
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

/** The start of the private directory's name, before six random characters. */
const PRIVATE = ".door-";

function isTrusted(uid: number): boolean {
  return uid === 0 || uid === process.geteuid?.();
}

/**
 * Checks each directory on the way: whoever may write to one of them can put another door there.
 *
 * @param hasDoor false for the parent of a directory that is yet to be made.
 * @throws PodsError `invalid-path`.
 */
function checkWay(directory: string, door: string, hasDoor = true, links = 0): void {
  if (links > MAX_LINKS) throw refused(directory, "leads over too many links", door);
  for (const start of new Set([directory, fs.realpathSync(directory)])) {
    for (let each = start; ; each = dirname(each)) {
      const stat = fs.lstatSync(each);
      if (!isTrusted(stat.uid)) throw refused(each, `belongs to somebody else (uid ${stat.uid})`, door);
      // In a sticky directory others cannot rename files that are not theirs. The last directory has the door itself, and must not be
      // shared.
      const isShared = (stat.mode & 0o022) !== 0 && !stat.isSymbolicLink();
      if (isShared && ((stat.mode & 0o1000) === 0 || (hasDoor && each === start)))
        throw refused(each, "may be written by others", door);
      // The owner of a link on the way could lead it elsewhere.
      if (stat.isSymbolicLink()) checkWay(resolve(dirname(each), fs.readlinkSync(each)), door, hasDoor, links + 1);
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
