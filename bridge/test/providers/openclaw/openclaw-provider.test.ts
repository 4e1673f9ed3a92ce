import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { artifactsDigest, OpenClawSessionKey, openArtifactContract, RunId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { newSessionKey } from "../../../src/providers/openclaw/turn/session-key.ts";
import { type PluginDouble, refusal } from "./plugin-double.ts";
import { noSuchMethod, providerScene, reloaded, runId, sessionKey, threadId, turn } from "./provider-scene.ts";

const BOUND_MS = 20_000;
const running = (plugin: PluginDouble) => expect.poll(() => plugin.runs.get(runId)?.state, { timeout: BOUND_MS }).toBe("running");
const end = (plugin: PluginDouble, text: string) => plugin.runs.set(runId, { state: "completed", text });
const agentEvent = (more: object) => ({
	runId,
	sessionKey,
	stream: "assistant",
	data: { text: "spoken", delta: "spoken", itemId: "i" },
	...more,
});

describe("a run on the gateway", () => {
	it("[T4-16] is prepared in its own conversation before it is sent, with the person's words alone", async () => {
		await using s = await providerScene();
		const outcome = s.run();
		await running(s.plugin);
		end(s.plugin, "the end");
		expect(await outcome).toEqual({ kind: "ended" });
		expect(s.plugin.calls).toEqual(["xworkmate.session.prepare run-1", "chat.send run-1"]);
		const [prepare] = s.double.requests.filter(({ method }) => method === "xworkmate.session.prepare");
		const [send] = s.double.requests.filter(({ method }) => method === "chat.send");
		expect(prepare?.params).toMatchObject({ runId, sessionKey, artifactScope: turn.artifactScope, hold: "effects", context: "context" });
		expect(send?.params).toEqual({ sessionKey, idempotencyKey: runId, message: "the person's words" });
		expect(OpenClawSessionKey.parse(s.saved[0])).toBe(sessionKey);
		expect(JSON.stringify(s.double.requests)).not.toContain("draft:");
		expect(s.said()).toEqual(["the end"]);
	});

	it("takes events of this run in this conversation, and no others", async () => {
		await using s = await providerScene();
		const outcome = s.run();
		await running(s.plugin);
		const foreign = { data: { text: "words of another", delta: "words of another" } };
		s.double.event("agent", agentEvent({ runId: "run-2", ...foreign }));
		s.double.event("agent", agentEvent({ sessionKey: "agent:main:xwm-111111111111111111111111", ...foreign }));
		s.double.event("agent", agentEvent({ sessionKey: undefined, ...foreign }));
		s.double.event("something.new", agentEvent({}));
		s.double.event("agent", agentEvent({}));
		s.double.event("plugin.xworkmate.run", { runId, sessionKey, state: "completed" });
		end(s.plugin, "spoken");
		await outcome;
		expect(s.said()).toEqual(["spoken"]);
	});

	it("is sent again under the same key when nobody knows whether it arrived, and not when it did", async () => {
		await using s = await providerScene();
		s.plugin.before = (method, _params, connection) => {
			if (method !== "chat.send" || connection > 2) return "go on";
			// The first one is lost on its way, the second one's answer on its way back.
			if (connection === 2) s.plugin.runs.set(runId, { state: "running" });
			s.double.cut();
			return undefined;
		};
		const outcome = s.run();
		await expect.poll(() => s.double.connections).toBe(3);
		await running(s.plugin);
		end(s.plugin, "the end");
		expect(await outcome).toEqual({ kind: "ended" });
		expect(new Set(s.plugin.calls.filter((call) => call.startsWith("chat.send")))).toEqual(new Set(["chat.send run-1"]));
		const away = s.updates.find((update) => update.kind === "notice" && update.code === "GATEWAY_AWAY");
		expect(away).toMatchObject({ message: expect.stringContaining("It is not known yet whether the run continues there.") });
	});

	it("is handed over in the log before the gateway has it", async () => {
		await using s = await providerScene();
		const outcome = s.run();
		await running(s.plugin);
		end(s.plugin, "the end");
		expect(await outcome).toEqual({ kind: "ended" });
		expect(s.sentAtHandOver).toEqual([0]);
	});

	it("is taken up where it is, and never begun a second time", async () => {
		for (const state of ["running", "completed"] as const) {
			await using s = await providerScene();
			s.plugin.runs.set(runId, { state, text: "said meanwhile" });
			const outcome = s.run({ begun: true });
			if (state === "running") {
				await expect.poll(() => s.double.requests.map(({ method }) => method)).toContain("xworkmate.approvals.list");
				end(s.plugin, "said meanwhile");
			}
			expect(await outcome).toEqual({ kind: "ended" });
			expect(s.said()).toEqual(["said meanwhile"]);
			expect(s.sent()).toBe(0);
		}
	});

	it("goes on in the middle of the answer that an earlier bridge began to tell", async () => {
		for (const ends of ["with an event", "unheard"] as const) {
			await using s = await providerScene();
			s.plugin.runs.set(runId, { state: "running" });
			const message = { messageId: "earlier-message-1", text: "one two", totalBytes: 7, keptBytes: 7, blank: false };
			const outcome = s.run({ begun: true, spoken: { message } });
			await expect.poll(() => s.double.requests.map(({ method }) => method)).toContain("xworkmate.approvals.list");
			const text = "one two three four";
			if (ends === "with an event") s.double.event("agent", agentEvent({ data: { text: "one two three", delta: " three", itemId: "i" } }));
			end(s.plugin, text);
			expect(await outcome).toEqual({ kind: "ended" });
			expect(s.said().join("")).toBe(" three four");
			expect(new Set(s.updates.flatMap((update) => ("messageId" in update ? update.messageId : [])))).toEqual(
				new Set(["earlier-message-1"]),
			);
		}
	});

	it("is lost when the gateway ended under it, or no longer knows it", async () => {
		for (const begin of [(plugin: PluginDouble) => plugin.runs.set(runId, { state: "lost" }), () => {}]) {
			await using s = await providerScene();
			begin(s.plugin);
			expect(await s.run({ begun: true })).toMatchObject({ kind: "lost", code: "GATEWAY_LOST" });
			expect(s.sent()).toBe(0);
		}
	});

	it("is lost when the gateway stays away, and its files are not waited for once more", async () => {
		await using s = await providerScene({ lostMs: 300 });
		const outcome = s.run();
		await running(s.plugin);
		s.plugin.before = (method) =>
			method === "connect" ? { error: { code: "UNAVAILABLE", message: "starting", retryable: true } } : "go on";
		s.double.cut();
		expect(await outcome).toMatchObject({ kind: "lost", code: "GATEWAY_LOST" });
		const sink = { show: () => {}, rejectArtifact: () => {} };
		expect(await s.provider.fetchArtifacts(turn, sink, AbortSignal.timeout(5_000))).toMatchObject({ code: "GATEWAY_LOST" });
	});

	it("[T4-19] is cancelled by both words, and ends as the plugin says", async () => {
		await using s = await providerScene();
		const outcome = s.run();
		await running(s.plugin);
		s.stop.abort();
		expect(await outcome).toEqual({ kind: "cancelled", remote: false });
		expect(s.plugin.calls).toEqual(expect.arrayContaining(["xworkmate.tasks.cancel run-1", "chat.abort run-1"]));
	});

	it("keeps an end that came before the stop", async () => {
		await using s = await providerScene();
		const outcome = s.run();
		await running(s.plugin);
		end(s.plugin, "the end");
		s.stop.abort();
		expect(await outcome).toEqual({ kind: "ended" });
	});

	it("is not sent when the stop came first", async () => {
		await using s = await providerScene();
		s.stop.abort();
		expect(await s.run()).toEqual({ kind: "cancelled", remote: false });
		expect(s.plugin.calls).toEqual([]);
	});

	it("goes on in another conversation, and says so, when its own does not end what it does", async () => {
		await using s = await providerScene();
		const busy = newSessionKey(threadId, RunId.parse("run-0"));
		s.plugin.before = (method, params) =>
			method === "xworkmate.session.prepare" && params.sessionKey === busy ? refusal("SESSION_BUSY") : "go on";
		const outcome = s.run({ session: { providerSessionId: busy, workingDirectory: "/nowhere" } });
		await running(s.plugin);
		end(s.plugin, "the end");
		expect(await outcome).toEqual({ kind: "ended" });
		expect(s.saved).toEqual([busy, sessionKey]);
		expect(s.updates).toContainEqual(expect.objectContaining({ kind: "notice", code: "CONVERSATION_RESTARTED" }));
	});

	it("ends by the gateway's own word when the plugin does not notice", async () => {
		await using s = await providerScene();
		s.plugin.before = (method) =>
			method === "agent.wait" ? { payload: { status: "ok", endedAt: 1, terminalReply: { text: "witnessed" } } } : "go on";
		expect(await s.run()).toEqual({ kind: "ended" });
		expect(s.said()).toEqual(["witnessed"]);
	});

	it("asks for the folders that are safe paths alone, however an earlier bridge accepted them", async () => {
		await using s = await providerScene();
		const artifactContract = { ...openArtifactContract, expectedArtifactDirs: ["reports/", "../x", "/abs", "."] };
		await s.provider.fetchArtifacts(
			{ ...turn, artifactContract },
			{ show: () => {}, rejectArtifact: () => {} },
			AbortSignal.timeout(5_000),
		);
		const [collect] = s.double.requests.filter(({ method }) => method === "xworkmate.artifacts.collect-and-snapshot");
		expect(collect?.params).toMatchObject({ expectedArtifactDirs: ["reports"] });
	});

	it("counts its files in data alone, so that a terminal says it once", async () => {
		await using s = await providerScene();
		await using folder = await mkdtempDisposable(join(tmpdir(), "delivery-"));
		const artifacts = { count: 0, totalBytes: 0, digest: artifactsDigest([]), rejected: [], rejectedCount: 0 };
		s.plugin.before = (method) => {
			if (method === "xworkmate.artifacts.collect-and-snapshot") return { payload: { ...artifacts, pendingBackgroundTasks: 0 } };
			return method === "xworkmate.artifacts.export" ? { payload: { ...artifacts, items: [], complete: true } } : "go on";
		};
		const shown: unknown[] = [];
		const sink = { show: (...words: unknown[]) => void shown.push(words), rejectArtifact: () => {} };
		const ended = { ...turn, artifactDirectory: join(folder.path, "run-1") };
		expect(await s.provider.fetchArtifacts(ended, sink, AbortSignal.timeout(5_000))).toBeUndefined();
		expect(shown).toEqual([["exporting"]]);
	});

	it("is refused before it is sent when its frame would be larger than the gateway takes", async () => {
		await using s = await providerScene();
		// 200 kB, of which the frame makes six times as many.
		expect(await s.run({ prompt: "\u0001".repeat(200_000) })).toMatchObject({ kind: "failed", code: "LIMIT_EXCEEDED" });
		expect(s.sent()).toBe(0);
	});

	it("goes on when OpenClaw loads the plugin again, or turns it off for a moment, under it", async () => {
		await using s = await providerScene();
		const away = [reloaded, noSuchMethod, reloaded];
		s.plugin.before = (method) => (method === "xworkmate.tasks.get" ? (away.shift() ?? "go on") : "go on");
		const outcome = s.run();
		await running(s.plugin);
		away.push(reloaded, noSuchMethod);
		end(s.plugin, "the end");
		expect(await outcome).toEqual({ kind: "ended" });
		expect(s.sent()).toBe(1);
	});

	it("is lost with the reason when the plugin does not come back", async () => {
		await using s = await providerScene({ lostMs: 200 });
		s.plugin.before = (method) => (method.startsWith("xworkmate.") ? reloaded : "go on");
		expect(await s.run({ begun: true })).toMatchObject({ kind: "lost", message: expect.stringContaining("plugin is not responding") });
	});

	it("fails with the gateway's words when it is refused, and leaves nothing prepared", async () => {
		await using s = await providerScene();
		s.plugin.before = (method) => (method === "chat.send" ? { error: { code: "INVALID_REQUEST", message: "no such agent" } } : "go on");
		expect(await s.run()).toEqual({ kind: "failed", code: "OPENCLAW_REFUSED", message: "OpenClaw rejected the message: no such agent." });
		expect(s.plugin.runs.get(runId)?.state).toBe("cancelled");
	});
});
