import { type Approval, ApprovalId, ProviderId, RunId, ThreadId, ToolKind } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { type ApprovalPolicy, allowedBy, type Window } from "../../src/approvals/approval-policy.ts";
import type { PermissionRequest } from "../../src/providers/provider.ts";
import { timestamp } from "../../src/runs/clock.ts";

const goose = ProviderId.parse("goose");
const codex = ProviderId.parse("codex");
const request: PermissionRequest = {
	title: "Run ls",
	toolKind: "execute",
	inputHash: "0".repeat(64),
	options: ["allow_once", "allow_window", "deny"],
	command: "ls -la",
};
const nothing: ApprovalPolicy = { allowProviders: new Set(), allowCommands: new Set() };

function windowOf(change: Partial<Approval> = {}): Window {
	const approval: Approval = {
		approvalId: ApprovalId.parse("ap_1"),
		runId: RunId.parse("run_1"),
		threadId: ThreadId.parse("thread"),
		title: "Run ls",
		toolKind: "execute",
		inputHash: "0".repeat(64),
		options: ["allow_once", "allow_window", "deny"],
		requestedAt: timestamp(0),
		expiresAt: timestamp(900_000),
		state: "decided",
		decision: "allow_window",
		windowSeconds: 60,
		decidedAt: timestamp(0),
		...change,
	};
	return { approval, providerId: goose };
}

describe("what needs no question", () => {
	it("is what was configured: a provider, or an exact command", () => {
		expect(allowedBy({ ...nothing, allowProviders: new Set([goose]) }, [], goose, request, 0)).toBe("configuration:provider");
		expect(allowedBy({ ...nothing, allowProviders: new Set([codex]) }, [], goose, request, 0)).toBeUndefined();
		const commands: ApprovalPolicy = { ...nothing, allowCommands: new Set(["ls -la"]) };
		expect(allowedBy(commands, [], goose, request, 0)).toBe("configuration:command");
		expect(allowedBy(commands, [], goose, { ...request, command: "ls -la; rm -r ." }, 0)).toBeUndefined();
		expect(allowedBy(nothing, [], goose, request, 0)).toBeUndefined();
	});

	it("is what a window covers: the same provider and kind of tool, until it closes", () => {
		expect(allowedBy(nothing, [windowOf()], goose, request, 59_999)).toBe("window:ap_1");
		expect(allowedBy(nothing, [windowOf()], goose, request, 60_000)).toBeUndefined();
		expect(allowedBy(nothing, [windowOf()], codex, request, 0)).toBeUndefined();
		for (const toolKind of ToolKind.options.filter((kind) => kind !== "execute")) {
			expect(allowedBy(nothing, [windowOf()], goose, { ...request, toolKind }, 0)).toBeUndefined();
		}
	});

	it("is not what was allowed once, denied, or left open", () => {
		const { decidedAt: _at, ...open } = windowOf({ state: "pending" }).approval;
		const windows = [windowOf({ decision: "allow_once" }), windowOf({ decision: "deny" }), { approval: open, providerId: goose }];
		expect(allowedBy(nothing, windows, goose, request, 0)).toBeUndefined();
	});

	it("is never a request that cannot be allowed once", () => {
		const all: ApprovalPolicy = { allowProviders: new Set([goose]), allowCommands: new Set(["ls -la"]) };
		expect(allowedBy(all, [windowOf()], goose, { ...request, options: ["allow_window", "deny"] }, 0)).toBeUndefined();
	});
});
