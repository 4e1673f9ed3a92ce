import { setImmediate } from "node:timers/promises";
import { ContractError } from "@xworkmate/contracts";
import { expect, it, vi } from "vitest";
import type { BridgeClient } from "../../src/bridge-client/index.ts";
import { BridgeTransportError } from "../../src/bridge-client/wire/bridge-errors.ts";
import { BridgeWatch } from "../../src/doctor/bridge-watch.ts";
import { AppEvents } from "../../src/threads/app-events.ts";
import { fakeCapabilities } from "../support/fake-capabilities.ts";
import { until } from "../support/until.ts";

const away = new BridgeTransportError("ACP_HTTP_CONNECT_FAILED", "Nothing answers.");

/** What was begun has had its turn. */
async function settled(): Promise<void> {
	for (let round = 0; round < 5; round++) await setImmediate();
}

/** A watch of a bridge that answers as the test says. */
class WatchedBridge implements AsyncDisposable {
	readonly events = new AppEvents();
	readonly told: string[] = [];
	readonly faults: unknown[] = [];
	readonly pages = { isWatched: false };
	asked = 0;
	refreshed = 0;
	failure: Error | undefined;
	refreshFailure: Error | undefined;
	startedByUser = false;
	readonly watch: BridgeWatch;

	constructor(askMs = 60_000) {
		const call = async () => {
			this.asked += 1;
			if (this.failure !== undefined) throw this.failure;
			return fakeCapabilities({ maxActive: 1, maxQueued: 5 }, undefined);
		};
		this.events.on("bridgeChanged", ({ state, trouble }) => void this.told.push(trouble?.what ?? state));
		this.watch = new BridgeWatch({
			...{ events: this.events, pages: this.pages, own: true, askMs, client: { call } as Pick<BridgeClient, "call"> },
			endpoint: async () => ({ url: new URL("http://127.0.0.1:1"), token: "token" }),
			startedByUser: () => this.startedByUser,
			approvals: {
				refresh: async () => {
					this.refreshed += 1;
					if (this.refreshFailure !== undefined) throw this.refreshFailure;
				},
			},
			fault: (error) => this.faults.push(error),
		});
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.watch.close();
	}
}

it("asks what only the bridge knows whenever it has answered, and tells of a change once", async () => {
	await using bridge = new WatchedBridge();
	expect(await bridge.watch.ask()).toMatchObject({ state: "connected", url: "http://127.0.0.1:1" });
	await bridge.watch.ask();
	expect([bridge.refreshed, bridge.told]).toEqual([2, ["connected"]]);
});

it.each([
	["unreachable", away],
	["refused", new ContractError("UNAUTHENTICATED")],
] as const)("says that it is %s, keeps what it last said it can do, and reports no fault", async (state, failure) => {
	await using bridge = new WatchedBridge();
	await bridge.watch.ask();
	bridge.failure = failure;
	expect(await bridge.watch.ask()).toMatchObject({ state, refusal: { code: failure.code }, capabilities: { contractVersion: 1 } });
	expect([bridge.told, bridge.faults]).toEqual([["connected", state], []]);
});

it("counts as away when it does not answer the questions that follow either", async () => {
	await using bridge = new WatchedBridge();
	bridge.refreshFailure = away;
	expect(await bridge.watch.ask()).toMatchObject({ state: "unreachable" });
});

it("is asked when calls begin to fail or to succeed, and not while they go as before", async () => {
	await using bridge = new WatchedBridge();
	bridge.events.emit("bridgeHeard", false);
	await settled();
	expect(bridge.asked).toBe(0);
	bridge.events.emit("bridgeHeard", true);
	await until("it is connected", () => bridge.told.length === 1);
	bridge.events.emit("bridgeHeard", true);
	await settled();
	expect(bridge.asked).toBe(1);
	bridge.failure = away;
	bridge.events.emit("bridgeHeard", false);
	await until("it is away", () => bridge.told.length === 2);
	expect(bridge.told).toEqual(["connected", "unreachable"]);
});

it.each(["grantHeardOf", "toolsChanged"] as const)("is asked about the grants when one may be new or have ended: %s", async (event) => {
	await using bridge = new WatchedBridge();
	bridge.events.emit(event);
	await until("it was asked", () => bridge.refreshed === 1);
});

it("is asked again when the agents have changed, even if that is while it is asked", async () => {
	await using bridge = new WatchedBridge();
	const first = bridge.watch.ask();
	bridge.events.emit("agentsChanged");
	await first;
	await until("it was asked again", () => bridge.asked === 2);
});

it("shows what its supervisor sees at once, and asks when that is over", async () => {
	await using bridge = new WatchedBridge();
	await bridge.watch.ask();
	bridge.events.emit("bridgeTroubled", { what: "ended", own: true, attempt: 1 });
	expect([bridge.told, bridge.asked]).toEqual([["connected", "ended"], 1]);
	bridge.events.emit("bridgeTroubled", undefined);
	expect(bridge.told).toEqual(["connected", "ended", "connected"]);
	await until("it was asked again", () => bridge.asked === 2);
});

it("says since when there is a problem, not since when the bridge was connected before it", async () => {
	vi.useFakeTimers({ toFake: ["Date"], now: 0 });
	try {
		await using bridge = new WatchedBridge();
		await bridge.watch.ask();
		vi.setSystemTime(1_000);
		bridge.events.emit("bridgeTroubled", { what: "silent", own: true });
		vi.setSystemTime(2_000);
		await bridge.watch.ask();
		expect(bridge.watch.view).toMatchObject({ state: "connected", since: new Date(1_000).toISOString() });
		bridge.events.emit("bridgeTroubled", undefined);
		expect(bridge.watch.view).toMatchObject({ state: "connected", since: new Date(2_000).toISOString() });
	} finally {
		vi.useRealTimers();
	}
});

it("is asked regularly while a page follows the app, and else not", async () => {
	await using bridge = new WatchedBridge(20);
	bridge.watch.lookAgain();
	await settled();
	expect(bridge.asked).toBe(0);
	bridge.pages.isWatched = true;
	await until("it was asked more than once", () => bridge.asked > 2);
});

it("reports a defect of this code, and asks nothing once it is closed", async () => {
	await using bridge = new WatchedBridge();
	bridge.failure = new TypeError("a defect");
	await bridge.watch.ask();
	expect([bridge.faults, bridge.watch.view.state]).toEqual([[bridge.failure], "starting"]);
	await bridge.watch.close();
	await bridge.watch.ask();
	expect(bridge.asked).toBe(1);
});

it("a bridge that is back after a restart is not said to be out of reach before it was asked again", async () => {
	await using bridge = new WatchedBridge();
	await bridge.watch.ask();
	bridge.events.emit("bridgeTroubled", { what: "restarting", own: true });
	bridge.failure = away;
	await bridge.watch.ask();
	bridge.failure = undefined;
	bridge.events.emit("bridgeTroubled", undefined);
	await until("it is connected", () => bridge.told.at(-1) === "connected");
	expect(bridge.told).not.toContain("unreachable");
});

it("says that the user started the bridge, until that one has ended", async () => {
	await using bridge = new WatchedBridge();
	bridge.startedByUser = true;
	expect(await bridge.watch.ask()).toMatchObject({ own: true, startedByUser: true });
	bridge.startedByUser = false;
	bridge.events.emit("bridgeTroubled", { what: "ended", own: true, startedByUser: true });
	expect(bridge.watch.view).not.toHaveProperty("startedByUser");
});
