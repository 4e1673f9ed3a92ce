import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { HttpRoute } from "../src/host/plugin-api.ts";
import { gatewayFolders, heldCore, startFakeGateway } from "./support/fake-gateway.ts";
import { runRef } from "./support/run-refs.ts";

const { runId, sessionKey, artifactScope } = runRef(1);
const Held = z.object({ items: z.array(z.object({ id: z.string() })) });
const lifecycle = (data: object) => ({ runId, sessionKey, stream: "lifecycle", data, seq: 1, ts: 1 });
const ended = lifecycle({ phase: "end", terminalReply: { text: "done" } });

describe("the plugin after OpenClaw loaded it again in a running gateway", () => {
	it("refuses calls with the same codes as before", async () => {
		await using folders = await gatewayFolders();
		const gateway = await preparedGateway(folders);
		await gateway.reload();
		expect((await gateway.call("xworkmate.tasks.get", runRef(2))).error).toMatchObject({
			code: "INVALID_REQUEST",
			details: { code: "RUN_UNKNOWN" },
		});
		const mixed = { ...runRef(1), sessionKey: runRef(2, 2).sessionKey };
		expect((await gateway.call("xworkmate.tasks.get", mixed)).error).toMatchObject({ details: { code: "SCOPE_MISMATCH" } });
	});

	it("refuses files with the same statuses as before", async () => {
		await using folders = await gatewayFolders();
		const gateway = await preparedGateway(folders);
		await gateway.reload();
		await using server = await serveRoute(gateway.routes.at(-1));
		const other = runRef(2);
		const query = new URLSearchParams({ sessionKey: other.sessionKey, artifactScope: other.artifactScope });
		const response = await fetch(`${server.url}/xworkmate/artifacts/${other.runId}?${query}`);
		expect([response.status, await response.json()]).toMatchObject([404, { error: { code: "RUN_UNKNOWN" } }]);
	});

	it("keeps the run that was under way, and announces how it ends", async () => {
		await using folders = await gatewayFolders();
		const gateway = await preparedGateway(folders);
		gateway.say(lifecycle({ phase: "start" }));
		await gateway.reload();
		expect((await gateway.call("xworkmate.tasks.get", runRef(1))).payload).toMatchObject({ state: "running" });
		gateway.say(ended);
		expect((await gateway.call("xworkmate.tasks.get", runRef(1))).payload).toMatchObject({ state: "completed" });
		expect(gateway.emitted.at(-1)?.payload).toMatchObject({ state: "completed" });
	});

	it("seals that run though the files of the code before are gone", async () => {
		await using folders = await gatewayFolders();
		const gateway = await preparedGateway(folders);
		const core = heldCore();
		if (core === undefined) throw new Error("the gateway has a core");
		core.instance = { ...core.instance, sealWorker: new URL("./deleted/seal-worker.js", import.meta.url) };
		await gateway.reload();
		const file = join(folders.workspace, artifactScope, "report.md");
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, "# hello");
		gateway.say(ended);
		const collected = await gateway.call("xworkmate.artifacts.collect-and-snapshot", { ...runRef(1), waitMs: 0 });
		expect(collected).toMatchObject({ payload: { count: 1 } });
	});

	it("tells a late answer to a tool call what counted, however the call was settled, also after the gateway was restarted", async () => {
		await using folders = await gatewayFolders();
		const gateway = await preparedGateway(folders, "effects");
		await gateway.hook("before_agent_run", {}, { runId, sessionKey });
		const hold = async (command: string) => {
			const call = { toolName: "exec", params: { command }, runId, toolCallId: command };
			const decision = gateway.hook("before_tool_call", call, { runId, sessionKey });
			const { items } = Held.parse((await gateway.call("xworkmate.approvals.list", {})).payload);
			return { id: items[0]?.id ?? "", decision };
		};
		const allowed = await hold("make");
		expect((await gateway.call("xworkmate.approvals.answer", { id: allowed.id, allow: true })).payload).toMatchObject({ applied: true });
		await allowed.decision;
		const withdrawn = await hold("make all");
		gateway.say(ended);
		await withdrawn.decision;
		const late = async (where: typeof gateway) =>
			Promise.all(
				[allowed, withdrawn].map(async ({ id }) => (await where.call("xworkmate.approvals.answer", { id, allow: false })).payload),
			);
		const counted = [
			{ applied: false, outcome: "allowed" },
			{ applied: false, outcome: "withdrawn" },
		];
		const first = heldCore();
		await gateway.reload();
		expect(heldCore()).not.toBe(first);
		expect(await late(gateway)).toEqual(counted);
		expect(await late(startFakeGateway(folders))).toEqual(counted);
	});

	it("works with the code that was loaded last once no run is under way, and forgets nothing", async () => {
		await using folders = await gatewayFolders();
		const gateway = await preparedGateway(folders);
		const first = heldCore();
		await gateway.reload();
		expect(heldCore(), "a run is under way").toBe(first);
		gateway.say(ended);
		await gateway.reload();
		expect(heldCore()).not.toBe(first);
		expect((await gateway.call("xworkmate.tasks.get", runRef(1))).payload).toMatchObject({ state: "completed", output: { text: "done" } });
	});
});

async function preparedGateway(folders: Awaited<ReturnType<typeof gatewayFolders>>, hold: "effects" | "none" = "none") {
	const gateway = startFakeGateway(folders);
	await gateway.start();
	await gateway.call("xworkmate.session.prepare", { ...runRef(1), hold });
	return gateway;
}

async function serveRoute(route: HttpRoute | undefined) {
	const server = createServer((request, response) => void route?.handler(request, response));
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const address = server.address();
	if (address === null || typeof address === "string") throw new Error("the server listens on a port");
	return {
		url: `http://127.0.0.1:${address.port}`,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
