import { setTimeout as delay } from "node:timers/promises";
import { readEndpoint, readToken } from "../bridge/bridge-process.ts";
import type { TemporaryHome } from "../machine/temporary-home.ts";
import { waitUntil } from "../machine/wait-until.ts";
import { BareClient } from "../wire/bare-client.ts";
import { isOver, type TaskSnapshot } from "../wire/wire.ts";

const LOOK_EVERY_MS = 25;
const ANSWER_MS = 500;

/**
 * How soon a bridge has to be back, in milliseconds: ten seconds; on a machine that is busy with other things, what the
 * supervisor's patience and two starts take there.
 */
export function backWithin(startMs: number): number {
	return Math.max(10_000, 7_000 + 2 * startMs);
}

/** A client of whatever bridge runs in a home now. */
export async function clientOf(home: TemporaryHome): Promise<BareClient> {
	const endpoint = await waitUntil("the bridge's endpoint", 20_000, () => readEndpoint(home));
	return new BareClient({ url: endpoint.url, token: await readToken(home) });
}

/** The end of a run, whatever becomes of the bridges that are asked about it. */
export function endOf(home: TemporaryHome, runId: string, boundMs: number): Promise<TaskSnapshot> {
	return waitUntil(`the end of ${runId}`, boundMs, async () => {
		// An error means that no bridge answers now, so it is asked again.
		const snapshot = await (await clientOf(home)).snapshot({ runId }).catch(() => undefined);
		return snapshot !== undefined && isOver(snapshot.status) ? snapshot : undefined;
	});
}

/**
 * Checks every 25 ms whether the home's bridge answers. A new bridge that has written its address counts as back, even if a run that it
 * resumed ended it before its first answer, so that the next absence counts as another outage.
 */
export class BridgeOutages implements AsyncDisposable {
	readonly #stop = new AbortController();
	readonly #watching: Promise<void>;
	/** Each time without an answer, in milliseconds. */
	readonly outages: number[] = [];

	constructor(home: TemporaryHome) {
		this.#watching = this.#watch(home);
	}

	get longest(): number {
		return Math.max(0, ...this.outages);
	}

	async #watch(home: TemporaryHome): Promise<void> {
		let answeredAt = performance.now();
		let isAway = false;
		let pid: number | undefined;
		while (!this.#stop.signal.aborted) {
			const endpoint = await readEndpoint(home).catch(() => undefined);
			const isAnother = endpoint !== undefined && pid !== undefined && endpoint.pid !== pid;
			const isBack = isAnother || (endpoint !== undefined && (await isAnswering(endpoint.url)));
			const now = performance.now();
			if (isBack) {
				if (isAway) this.outages.push(now - answeredAt);
				answeredAt = now;
			}
			isAway = !isBack;
			pid = endpoint?.pid ?? pid;
			await delay(LOOK_EVERY_MS);
		}
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#stop.abort();
		await this.#watching;
	}
}

async function isAnswering(url: string): Promise<boolean> {
	try {
		return (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(ANSWER_MS) })).ok;
	} catch {
		return false;
	}
}
