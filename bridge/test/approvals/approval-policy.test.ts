import { type Approval, ApprovalId, ProviderId, RunId, ThreadId, ToolKind } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { type ApprovalPolicy, allowedBy, type Grant, type GrantHolder } from "../../src/approvals/approval-policy.ts";
import { grantScope } from "../../src/approvals/grant-scope.ts";
import type { PermissionRequest } from "../../src/ports/agents/provider.ts";
import { timestamp } from "../../src/ports/clock.ts";

const goose = ProviderId.parse("goose");
const codex = ProviderId.parse("codex");
const request: PermissionRequest = {
	title: "ls -la",
	toolKind: "execute",
	inputHash: "0".repeat(64),
	options: ["allow_once", "allow_window", "deny"],
	command: "ls -la",
};
const nothing: ApprovalPolicy = { allowProviders: new Set(), allowCommands: new Set() };

function allowed(
	policy: ApprovalPolicy,
	grants: readonly Grant[],
	asker: GrantHolder,
	asked: PermissionRequest,
	now: number,
): string | undefined {
	const found = allowedBy(policy, grants, asker, { request: asked, scope: grantScope(asked) }, now)?.by;
	return typeof found === "object" ? `window:${found.approvalId}` : found;
}

function grantOf(change: Partial<Approval> = {}): Grant {
	const approval: Approval = {
		approvalId: ApprovalId.parse("ap_1"),
		runId: RunId.parse("run_1"),
		threadId: ThreadId.parse("thread"),
		title: "ls -la",
		toolKind: "execute",
		inputHash: "0".repeat(64),
		options: ["allow_once", "allow_window", "deny"],
		grantScope: { kind: "program", words: ["ls"] },
		requestedAt: timestamp(0),
		expiresAt: timestamp(900_000),
		state: "decided",
		decision: "allow_window",
		windowSeconds: 60,
		decidedAt: timestamp(0),
		...change,
	};
	return { approval, asker: { providerId: goose } };
}

describe("what needs no question", () => {
	it("is what was configured: a provider, or an exact command", () => {
		expect(allowed({ ...nothing, allowProviders: new Set([goose]) }, [], { providerId: goose }, request, 0)).toBe("configuration:provider");
		expect(allowed({ ...nothing, allowProviders: new Set([codex]) }, [], { providerId: goose }, request, 0)).toBeUndefined();
		const commands: ApprovalPolicy = { ...nothing, allowCommands: new Set(["ls -la"]) };
		expect(allowed(commands, [], { providerId: goose }, request, 0)).toBe("configuration:command");
		expect(allowed(commands, [], { providerId: goose }, { ...request, command: "ls -la; rm -r ." }, 0)).toBeUndefined();
		expect(allowed(nothing, [], { providerId: goose }, request, 0)).toBeUndefined();
	});

	it("is what a grant names: the same program, agent, folder and kind of tool, until it is over", () => {
		expect(allowed(nothing, [grantOf()], { providerId: goose }, request, 59_999)).toBe("window:ap_1");
		expect(allowed(nothing, [grantOf()], { providerId: goose }, request, 60_000)).toBeUndefined();
		expect(allowed(nothing, [grantOf()], { providerId: codex }, request, 0)).toBeUndefined();
		expect(allowed(nothing, [grantOf()], { providerId: goose, workingDirectory: "/project" }, request, 0)).toBeUndefined();
		expect(allowed(nothing, [grantOf()], { providerId: goose }, { ...request, title: "ls src", command: "ls src" }, 0)).toBe("window:ap_1");
		for (const command of [
			"ls -la src",
			"ls -R",
			"ls src --color",
			"cat a",
			"ls -la; rm -r .",
			"ls $(rm -r .)",
			"ls\nrm -r .",
			"sudo ls",
			"lsof",
		]) {
			expect(allowed(nothing, [grantOf()], { providerId: goose }, { ...request, title: command, command }, 0), command).toBeUndefined();
		}
		for (const toolKind of ToolKind.options.filter((kind) => kind !== "execute")) {
			expect(allowed(nothing, [grantOf()], { providerId: goose }, { ...request, toolKind }, 0)).toBeUndefined();
		}
	});

	it("is not what another kind of tool does with the same words, or what the agent calls another tool", () => {
		const scope = { kind: "program" as const, words: ["ls"], tool: "shell · " };
		const shell = { title: "shell · ls -la", grantScope: scope, toolKind: "other" as const };
		const other = { ...request, title: "shell · ls -la", toolKind: "other" as const };
		expect(allowed(nothing, [grantOf(shell)], { providerId: goose }, other, 0)).toBe("window:ap_1");
		expect(allowed(nothing, [grantOf(shell)], { providerId: goose }, { ...other, toolKind: "execute" }, 0)).toBeUndefined();
		expect(allowed(nothing, [grantOf(shell)], { providerId: goose }, { ...other, title: "production · ls -la" }, 0)).toBeUndefined();
	});

	it("is not a request to which the agent's answers have other names", () => {
		const named = (...allowNames: readonly string[]) => ({ ...request, allowNames });
		const given = grantOf({ allowNames: ["Allow"] });
		expect(allowed(nothing, [given], { providerId: goose }, named("Allow"), 0)).toBe("window:ap_1");
		for (const other of [named("Allow and delete everything"), named("Allow", "Run only"), request])
			expect(allowed(nothing, [given], { providerId: goose }, other, 0)).toBeUndefined();
		expect(allowed(nothing, [grantOf()], { providerId: goose }, named("Allow"), 0)).toBeUndefined();
	});

	it("[D2] is nothing that a grant without a scope covers: those in existing homes lapse", () => {
		const { grantScope: _none, ...old } = grantOf().approval;
		expect(allowed(nothing, [{ approval: old, asker: { providerId: goose } }], { providerId: goose }, request, 0)).toBeUndefined();
	});

	it("[D2] is nothing that a revoked grant covers, and a clock set back makes none longer", () => {
		expect(allowed(nothing, [grantOf({ revokedAt: timestamp(1) })], { providerId: goose }, request, 0)).toBeUndefined();
		expect(allowed(nothing, [grantOf({ decidedAt: timestamp(5_000) })], { providerId: goose }, request, 4_000)).toBeUndefined();
	});

	it("is not what was allowed once, denied, or left open", () => {
		const { decidedAt: _at, ...open } = grantOf({ state: "pending" }).approval;
		const windows = [grantOf({ decision: "allow_once" }), grantOf({ decision: "deny" }), { approval: open, asker: { providerId: goose } }];
		expect(allowed(nothing, windows, { providerId: goose }, request, 0)).toBeUndefined();
	});

	it("is never a request that cannot be allowed once", () => {
		const all: ApprovalPolicy = { allowProviders: new Set([goose]), allowCommands: new Set(["ls -la"]) };
		expect(allowed(all, [grantOf()], { providerId: goose }, { ...request, options: ["allow_window", "deny"] }, 0)).toBeUndefined();
	});
});
