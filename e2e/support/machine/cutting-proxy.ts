import { connect, createServer, type Socket } from "node:net";
import { listenOnLoopback } from "./listen-on-loopback.ts";

/** What the proxy does to the connections that are opened while the mode is set. */
export type CutMode =
	| { readonly kind: "pass" }
	/** After the n-th event of the stream: how the reader's connection ends, or does not. `once`: the first of all alone. */
	| { readonly kind: "cut"; readonly afterEvents: number; readonly how: CutHow; readonly once?: true }
	/** Accepts, and never answers. */
	| { readonly kind: "blackhole" }
	/** Accepts, and resets. */
	| { readonly kind: "reset" };

/**
 * - `destroy`: both sides closed. - `reset`: RST to the reader. - `half-close-down`: FIN to the reader,
 * its requests still pass. - `half-close-up`: FIN to the bridge, its answers still pass.
 * - `stall`: nothing passes any more, nothing is closed. - `mid-event`: as destroy, inside the next event.
 */
export type CutHow = "destroy" | "reset" | "half-close-down" | "half-close-up" | "stall" | "mid-event";

export const cutHows: readonly CutHow[] = ["destroy", "reset", "half-close-down", "half-close-up", "stall", "mid-event"];

export interface CuttingProxy extends AsyncDisposable {
	readonly port: number;
	mode: CutMode;
	/** Cuts carried out so far. */
	readonly cuts: number;
}

/** Bytes of the next event that pass before a cut inside it: more than its id line, less than any whole event. */
const PART_OF_EVENT = 40;

/** A TCP proxy on 127.0.0.1 that breaks event streams in a chosen place. Switchable while it runs. */
export async function cuttingProxy(upstreamPort: number): Promise<CuttingProxy> {
	const sockets = new Set<Socket>();
	const state = { mode: { kind: "pass" } as CutMode, cuts: 0 };
	const server = createServer({ allowHalfOpen: true }, (reader) => {
		track(sockets, reader);
		if (state.mode.kind === "reset") reader.resetAndDestroy();
		else if (state.mode.kind !== "blackhole") join(reader, connectUpstream(upstreamPort, sockets), state);
	});
	const port = await listenOnLoopback(server);
	return {
		port,
		get mode() {
			return state.mode;
		},
		set mode(mode) {
			state.mode = mode;
		},
		get cuts() {
			return state.cuts;
		},
		async [Symbol.asyncDispose]() {
			for (const socket of sockets) socket.destroy();
			await new Promise((done) => server.close(done));
		},
	};
}

function track(sockets: Set<Socket>, socket: Socket): void {
	sockets.add(socket);
	socket.setNoDelay(true);
	// A reset by either side is what this proxy is about.
	socket.on("error", () => socket.destroy());
	socket.once("close", () => sockets.delete(socket));
}

function connectUpstream(port: number, sockets: Set<Socket>): Socket {
	const upstream = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
	track(sockets, upstream);
	return upstream;
}

function join(reader: Socket, upstream: Socket, state: { mode: CutMode; cuts: number }): void {
	const { mode } = state;
	const find = mode.kind === "cut" ? eventEndFinder(mode.afterEvents) : undefined;
	let isCut = false;
	reader.on("data", (bytes) => void upstream.write(bytes));
	reader.once("end", () => upstream.end());
	reader.once("close", () => upstream.destroy());
	upstream.once("end", () => isCut || reader.end());
	upstream.once("close", () => isCut || reader.end());
	upstream.on("data", (bytes) => {
		if (isCut && !(mode.kind === "cut" && mode.how === "half-close-up")) return;
		const end = isCut ? undefined : find?.(bytes);
		if (mode.kind !== "cut" || end === undefined || (mode.once === true && state.cuts > 0)) {
			reader.write(bytes);
			return;
		}
		isCut = true;
		state.cuts++;
		reader.write(bytes.subarray(0, end));
		carryOut(mode.how, reader, upstream, bytes.subarray(end));
	});
}

function carryOut(how: CutHow, reader: Socket, upstream: Socket, rest: Buffer): void {
	switch (how) {
		case "destroy":
			reader.destroySoon();
			break;
		case "reset":
			reader.resetAndDestroy();
			break;
		case "half-close-down":
			reader.end();
			break;
		case "half-close-up":
			reader.write(rest);
			upstream.end();
			upstream.once("close", () => reader.end());
			break;
		case "stall":
			upstream.pause();
			break;
		case "mid-event":
			reader.write(rest.length > 0 ? rest.subarray(0, PART_OF_EVENT) : "id: 99");
			reader.destroySoon();
			break;
	}
}

/** Offset just behind the n-th event that carries an id (0: before the answer's first byte), counted over all bytes fed. */
function eventEndFinder(afterEvents: number): (bytes: Buffer) => number | undefined {
	let seen = 0;
	let line = "";
	let hasId = false;
	return (bytes) => {
		if (afterEvents === 0) return 0;
		for (const [offset, byte] of bytes.entries()) {
			if (byte !== 10) {
				if (line.length < 8) line += String.fromCharCode(byte);
				continue;
			}
			if (line.startsWith("id:")) hasId = true;
			if (line === "" && hasId) {
				hasId = false;
				seen++;
				if (seen === afterEvents) return offset + 1;
			}
			line = "";
		}
		return undefined;
	};
}
