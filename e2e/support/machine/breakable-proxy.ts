import { connect, createServer, type Socket } from "node:net";
import { listenOnLoopback } from "./listen-on-loopback.ts";

/**
 * What happens to every connection, those that are open and those to come.
 * - `pass`: bytes go both ways, what was held back first. - `stall`: nothing passes, nothing is closed.
 * - `reset`: all connections are reset, new ones at once. - `blackhole`: as stall, and what was held back is never sent.
 */
export type BreakMode = "pass" | "stall" | "reset" | "blackhole";

export interface BreakableProxy extends AsyncDisposable {
	readonly port: number;
	mode: BreakMode;
	/** Connections that were open at some time. */
	readonly connections: number;
}

interface Pair {
	readonly near: Socket;
	readonly far: Socket;
	/** It was open during a blackhole, so it never passes a byte again, whatever the mode. */
	dead: boolean;
}

/** A TCP proxy on 127.0.0.1 that breaks whatever runs over it, at any moment. */
export async function breakableProxy(upstreamPort: number): Promise<BreakableProxy> {
	const pairs = new Set<Pair>();
	const state = { mode: "pass" as BreakMode, connections: 0 };
	const server = createServer((near) => {
		state.connections++;
		const far = connect({ host: "127.0.0.1", port: upstreamPort });
		const pair: Pair = { near, far, dead: false };
		pairs.add(pair);
		for (const [socket, other] of [
			[near, far],
			[far, near],
		] as const) {
			socket.setNoDelay(true);
			// Resets are what this proxy is about.
			socket.on("error", () => socket.destroy());
			socket.on("data", (bytes) => void other.write(bytes));
			socket.once("close", () => {
				pairs.delete(pair);
				other.destroy();
			});
		}
		apply(pair, state.mode);
	});
	const port = await listenOnLoopback(server);
	return {
		port,
		get mode() {
			return state.mode;
		},
		set mode(mode) {
			state.mode = mode;
			for (const pair of pairs) apply(pair, mode);
		},
		get connections() {
			return state.connections;
		},
		async [Symbol.asyncDispose]() {
			for (const { near, far } of pairs) {
				near.destroy();
				far.destroy();
			}
			await new Promise((done) => server.close(done));
		},
	};
}

function apply(pair: Pair, mode: BreakMode): void {
	const { near, far } = pair;
	if (mode === "reset") near.resetAndDestroy();
	if (mode === "blackhole") pair.dead = true;
	const open = mode === "pass" && !pair.dead;
	for (const socket of [near, far]) {
		if (open) socket.resume();
		else socket.pause();
	}
}
