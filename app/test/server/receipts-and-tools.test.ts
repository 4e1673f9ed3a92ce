import { describe, expect, it } from "vitest";
import { receiptsExportRoute, verificationRoute } from "../../src/api/ui-routes.ts";
import { UiScene } from "../support/ui-scene.ts";

const hash = "a".repeat(64);

describe("what the bridge knows of receipts and tools", () => {
	it.each<[string, string, object]>([
		["listReceipts", "xworkmate.receipts.list", { runId: "run1", type: "tool.call.denied", limit: 5, cursor: "x" }],
		["receipt", "xworkmate.receipts.get", { receiptId: "run1.4" }],
		["activity", "xworkmate.activity.get", { runId: "run1" }],
		["listTools", "xworkmate.tools.list", {}],
		["toolSources", "xworkmate.tools.sources", { integration: "calendar", toolHash: hash }],
		["reloadTools", "xworkmate.tools.reload", { integration: "calendar" }],
		["acceptTools", "xworkmate.tools.accept", { integration: "calendar", toolHash: hash }],
		["addTools", "xworkmate.tools.add", { example: "calendar" }],
		["newTools", "xworkmate.tools.new", { integration: "library" }],
		["setToolRule", "xworkmate.tools.policy", { toolId: "calendar.events.delete", decision: "deny" }],
		["operators", "xworkmate.operators.list", {}],
		["approvalInput", "xworkmate.approvals.get", { approvalId: "ask1" }],
	])("%s is asked of it as %s, and its refusal reaches the page by its code", async (name, method, params) => {
		await using ui = await UiScene.open();
		await ui.signIn();
		const { bridge } = ui.scene;
		bridge.fault = (seen) => (seen.method === method ? { kind: "error", code: "TOOL_CHANGED" } : undefined);
		expect(await ui.call(name, params)).toMatchObject({ status: 400, error: { code: "TOOL_CHANGED" } });
		expect(bridge.calls.find((call) => call.method === method)?.params).toMatchObject(params);
	});

	it("is verified through the app, also by a bridge that does not say how far it has come, and a refusal reaches the page by its code", async () => {
		await using ui = await UiScene.open();
		await ui.signIn();
		const { bridge } = ui.scene;
		const lines = async () => {
			const { status, body } = await ui.request("GET", verificationRoute({ runId: "run1", head: hash }), { cookie: ui.cookie });
			return [
				status,
				...body
					.trim()
					.split("\n")
					.map((line) => JSON.parse(line)),
			];
		};
		const result = { ok: true, runs: 1, receipts: 100, independence: "self_attested", problems: [] };
		bridge.answers.set("xworkmate.receipts.verify", () => result);
		expect(await lines()).toEqual([200, { type: "ended", result }]);
		expect(bridge.calls.find(({ method }) => method === "xworkmate.receipts.verify")?.params).toEqual({ runId: "run1", head: hash });
		bridge.fault = ({ method }) => (method === "xworkmate.receipts.verify" ? { kind: "error", code: "NOT_FOUND" } : undefined);
		expect(await lines()).toMatchObject([200, { type: "refused", failure: { code: "NOT_FOUND" } }]);
		expect((await ui.request("GET", verificationRoute(), { cookie: "" })).status).toBe(401);
	});

	it("is exported through the app, for one run, one plan or all, as a download and to nobody else", async () => {
		await using ui = await UiScene.open();
		await ui.signIn();
		const get = (path: string, cookie = ui.cookie) => ui.request("GET", path, { cookie });
		expect(await get(receiptsExportRoute())).toMatchObject({
			status: 200,
			body: "receipts of all runs\n",
			headers: { "content-type": "application/x-ndjson", "content-disposition": "attachment; filename=receipts.ndjson" },
		});
		expect((await get(receiptsExportRoute({ runId: "run1" }))).body).toBe("receipts of run1\n");
		expect(await get(receiptsExportRoute({ planId: "plan1" }))).toMatchObject({
			body: "receipts of plan1\n",
			headers: { "content-disposition": "attachment; filename=receipts-plan1.ndjson" },
		});
		expect((await get("/receipts.ndjson?runId=../x")).status).toBe(400);
		expect((await get(receiptsExportRoute(), "")).status).toBe(401);
	});
});
