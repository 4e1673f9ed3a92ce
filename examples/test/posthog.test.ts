import { OutcomeUnknown, ToolFailed } from "@xworkmate/tool";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type FakeService, startFakeService } from "../../e2e/support/services/fake-service.ts";
import { checkVisitors, createThresholdMonitor, deleteThresholdMonitor, listThresholdMonitors } from "../tools/posthog/tools.ts";
import { type CallOptions, callTool } from "./support/call-tool.ts";
import { failureOf } from "./support/failure-of.ts";

const project = { projectId: "1815" };
const monitor = { ...project, website: "example.org", threshold: 100, every: "daily" as const, name: "Many visitors" };

let service: FakeService;
let options: CallOptions;
beforeEach(async () => {
	service = await startFakeService("posthog");
	options = { services: { "https://us.posthog.com": service.url }, secrets: { "posthog.key": "phx_ada" } };
});
afterEach(() => service[Symbol.asyncDispose]());

const jobs = async () => (await callTool(listThresholdMonitors, project, options)).jobs;

async function visit(person: string, host: string, timestamp: string): Promise<void> {
	const batch = [{ event: "$pageview", distinct_id: person, timestamp, properties: { $host: host } }];
	await fetch(`${service.url}/batch/`, { method: "POST", body: JSON.stringify({ api_key: "phc_1815", batch }) });
}

it("[T1-92] counts visitors, and creates, lists and deletes an alert, each once", async () => {
	await visit("a", "example.org", "2026-05-04T10:00:00Z");
	await visit("a", "example.org", "2026-05-04T11:00:00Z");
	await visit("b", "example.org", "2026-05-04T23:59:59Z");
	await visit("c", "example.org", "2026-05-05T00:00:00Z");
	await visit("d", "other.example.org", "2026-05-04T10:00:00Z");
	const day = { website: "example.org", from: "2026-05-04T02:00:00+02:00", to: "2026-05-05T00:00:00Z" };
	expect(await callTool(checkVisitors, { ...project, ...day }, options)).toEqual({ visitors: 2 });
	const { alertId } = await callTool(createThresholdMonitor, monitor, options);
	const job = { alertId, name: "Many visitors", threshold: 100, every: "daily", isEnabled: true, state: "Not firing" };
	expect(await jobs()).toEqual([job]);
	const wrong = { ...project, alertId, name: "Few visitors" };
	expect((await failureOf(callTool(deleteThresholdMonitor, wrong, options))).message).toContain("another name");
	await callTool(deleteThresholdMonitor, { ...project, alertId, name: "Many visitors" }, options);
	expect(await jobs()).toEqual([]);
	expect(await service.effects()).toEqual([
		{ kind: "insight.created", key: "Many visitors", count: 1 },
		{ kind: "alert.created", key: "Many visitors", count: 1 },
		{ kind: "alert.deleted", key: alertId, count: 1 },
	]);
});

it("takes the chart back when the alert is refused, and says so if that is in doubt", async () => {
	const refusal = { type: "validation_error", code: "invalid_input", detail: "Only 5 alerts are allowed.", attr: "insight" };
	const refuse = { kind: "answer", method: "POST", path: "/alerts/", status: 400, body: JSON.stringify(refusal) } as const;
	await service.fail(refuse);
	expect((await failureOf(callTool(createThresholdMonitor, monitor, options))).message).toBe(
		"PostHog refused with 400: insight: Only 5 alerts are allowed. Its chart was deleted again.",
	);
	await service.fail(refuse);
	await service.fail({ kind: "reset_after", method: "PATCH" });
	const inDoubt = await failureOf(callTool(createThresholdMonitor, monitor, options));
	expect(inDoubt).toBeInstanceOf(ToolFailed);
	expect(inDoubt.message).toContain("insight 902, may still be there: delete it.");
	expect((await service.effects()).some(({ kind }) => kind === "alert.created")).toBe(false);
});

it.each([
	["the chart", "/insights/"],
	["the alert", "/alerts/"],
])("does not know whether it acted when the answer to %s is lost, and does not repeat it", async (_, path) => {
	await service.fail({ kind: "reset_after", method: "POST", path });
	expect(await failureOf(callTool(createThresholdMonitor, monitor, options))).toBeInstanceOf(OutcomeUnknown);
	expect((await service.effects()).every(({ count }) => count === 1)).toBe(true);
	expect(createThresholdMonitor.idempotent).toBe(false);
});

it("deletes an alert once when the call is tried again after its answer was lost", async () => {
	const { alertId } = await callTool(createThresholdMonitor, monitor, options);
	const alert = { ...project, alertId, name: monitor.name };
	await service.fail({ kind: "reset_after", method: "DELETE" });
	expect(await failureOf(callTool(deleteThresholdMonitor, alert, options))).toBeInstanceOf(OutcomeUnknown);
	expect((await failureOf(callTool(deleteThresholdMonitor, alert, options))).message).toBe("There is no alert with this id.");
	expect(await callTool(deleteThresholdMonitor, alert, { ...options, attempt: 2 })).toEqual({ alertId, deleted: true });
	expect(await service.effects()).toContainEqual({ kind: "alert.deleted", key: alertId, count: 1 });
});

it("a query that has no answer has failed: it changes nothing", async () => {
	const day = { ...project, website: "example.org", from: "2026-05-04T00:00:00Z", to: "2026-05-05T00:00:00Z" };
	for (const fault of [
		{ kind: "reset_after" },
		{ kind: "garbage" },
		{ kind: "answer", status: 500 },
		{ kind: "huge", acts: true },
	] as const) {
		await service.fail(fault);
		expect(await failureOf(callTool(checkVisitors, day, options))).toBeInstanceOf(ToolFailed);
	}
	expect((await failureOf(callTool(checkVisitors, { ...day, to: day.from }, options))).message).toContain("must be after its start");
});

it("says what is wrong with the key, the project and the pace", async () => {
	const words = async (key: string, more: object = {}) =>
		(await failureOf(callTool(createThresholdMonitor, { ...monitor, ...more }, { ...options, secrets: { "posthog.key": key } }))).message;
	expect(await words("phx_other")).toContain("PostHog does not accept the key.");
	expect(await words("phx_reader")).toBe("PostHog does not allow this with the key: API key missing required scope 'insight:write'.");
	expect(await words("phx_ada", { projectId: "2" })).toContain("no such project");
	await service.fail({ kind: "answer", status: 429, headers: { "retry-after": "12" } });
	expect(await words("phx_ada")).toBe("PostHog asks for fewer requests. Try again in 12 s.");
	expect(await service.effects()).toEqual([]);
});

it("describes each call in words", () => {
	expect(createThresholdMonitor.describe?.(monitor)).toBe(
		'Create the alert "Many visitors" in project 1815: tell me when example.org has more than 100 visitors, checked daily',
	);
	expect(deleteThresholdMonitor.describe?.({ ...project, alertId: "a", name: "Many visitors" })).toBe(
		'Delete the alert "Many visitors" of project 1815; its chart stays',
	);
	expect(listThresholdMonitors.describe?.(project)).toBe("List the alerts of project 1815");
});
