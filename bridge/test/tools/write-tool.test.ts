import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Approval, type Integration, IntegrationId, Redaction, RunId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { callInput } from "../../src/approvals/call-input.ts";
import { decideCall } from "../../src/approvals/decide-call.ts";
import type { PlacedStep } from "../../src/ports/runs/run-step.ts";
import { SourceRefused, writeSource } from "../../src/tools/integrations/write-source.ts";
import { HostsWithWriteTool, SOURCE_BYTES, writeTool } from "../../src/tools/integrations/write-tool.ts";
import { CountingHosts } from "../programs/counting-hosts.ts";

const call = (input: unknown) => ({ runId: RunId.parse("run-1"), toolCallId: "call-1" as const, idempotencyKey: "k", attempt: 1, input });
const never = new AbortController().signal;
const integration = IntegrationId.parse("notes");
const good = { integration: "notes", path: "tools.ts", source: "export const a = 1;\n" };

function hosts() {
	const written: unknown[] = [];
	const write = async (...given: [IntegrationId, string, string]): Promise<Integration> => {
		written.push(given);
		return { integration: given[0], state: "unaccepted", problems: [], tools: [] };
	};
	const world = new CountingHosts({ look: { risk: "read" } });
	return { hosts: new HostsWithWriteTool(world, write), world, written };
}

describe("[T1-41] tools.xworkmate.writeTool", () => {
	it("is there beside the integrations' tools, and leaves theirs alone", async () => {
		const { hosts: both, world } = hosts();
		const { tools, declarations, registryHash } = await both.catalogue();
		expect([...tools.keys()]).toEqual(["world.look", "xworkmate.writeTool"]);
		expect(declarations).toContain("writeTool(input: { integration: string; path: string; source: string })");
		expect(registryHash).not.toBe((await world.catalogue()).registryHash);
		expect([both.isCurrent(writeTool), both.isCurrent(world.tool("look")), both.isCurrent(world.tool("gone"))]).toEqual([
			true,
			true,
			false,
		]);
	});

	it("writes what was examined, and says what happened to it", async () => {
		const { hosts: both, written } = hosts();
		expect(await both.examine(writeTool, good)).toMatchObject({
			kind: "valid",
			words: "Write tool code: tools/notes/tools.ts, 20 B",
		});
		expect(await both.call(writeTool, call(good), never)).toMatchObject({ kind: "succeeded", output: { state: "unaccepted" } });
		expect(written).toEqual([["notes", "tools.ts", good.source]]);
	});

	it.each([
		["a folder above", { path: "../evil.ts" }],
		["an absolute path", { path: "/etc/x.ts" }],
		["a hidden folder", { path: ".git/x.ts" }],
		["a file that is no code", { path: "notes.md" }],
		["a test, which is not read", { path: "a.test.ts" }],
		["a backslash", { path: "a\\b.ts" }],
		["a name of a built-in", { integration: "xworkmate" }],
		["an integration outside", { integration: "../x" }],
		["more than a person can read", { source: "x".repeat(SOURCE_BYTES + 1) }],
		["text that is shown in another order", { source: "const a = 1; // \u202e }" }],
		["a character of no width", { source: "const a\u200b = 1;" }],
		["half a pair", { source: "\ud800" }],
		["another field", { accept: true }],
	])("refuses %s before anybody is asked, and does not write it", async (_what, change) => {
		const { hosts: both, written } = hosts();
		expect(await both.examine(writeTool, { ...good, ...change })).toMatchObject({ kind: "invalid" });
		expect(await both.call(writeTool, call({ ...good, ...change }), never)).toMatchObject({ kind: "failed", code: "INVALID_INPUT" });
		expect(written).toEqual([]);
	});

	it("is asked about whatever any rule or permission allows, and offers no permission for a time", () => {
		const facts = { tool: writeTool, isUnattended: false, inputBytes: 10, waiting: 0 };
		const allowed = { ...facts, own: "allow", run: "allow", rule: "allow", window: "apr-1" as never } as const;
		expect(decideCall(allowed)).toEqual({ decision: "ask", mayWindow: false });
		expect(decideCall({ ...facts, rule: "deny" })).toMatchObject({ decision: "deny" });
		expect(decideCall({ ...allowed, isUnattended: true })).toMatchObject({ decision: "deny", reason: "unattended" });
	});

	it("shows all of the source to the person who is asked, also what looks like a secret", () => {
		const input = { ...good, source: "const options = { authorization: 'Bearer stolen-token-value' };" };
		const inputHash = "a".repeat(64);
		const steps = [
			{ n: 1, at: "", step: { kind: "began", call: 1, toolId: writeTool.toolId, inputHash, input } },
		] as unknown[] as PlacedStep[];
		const asked = { toolCallId: "call-1", inputHash, toolId: writeTool.toolId } as Approval;
		expect(JSON.parse(callInput(asked, steps, new Redaction([])) ?? "")).toEqual(input);
		expect(callInput({ ...asked, toolId: "mail.message.send" as never }, steps, new Redaction([]))).toContain("[redacted]");
	});
});

describe("writing a source", () => {
	async function inFolder(test: (tools: string, outside: string) => Promise<void>): Promise<void> {
		const home = await mkdtemp(join(tmpdir(), "write tool-"));
		try {
			await mkdir(join(home, "tools"));
			await mkdir(join(home, "outside"));
			await test(join(home, "tools"), join(home, "outside"));
		} finally {
			await rm(home, { recursive: true });
		}
	}

	it("makes its folders, and replaces a file whole", () =>
		inFolder(async (tools) => {
			await writeSource(tools, integration, "a/b.ts", "one, and longer");
			await writeSource(tools, integration, "a/b.ts", "two");
			expect(await readFile(join(tools, "notes/a/b.ts"), "utf8")).toBe("two");
		}));

	it.each([["notes"], ["notes/a"]])("does not go through a link at %s", (at) =>
		inFolder(async (tools, outside) => {
			if (at === "notes/a") await mkdir(join(tools, "notes"));
			await symlink(outside, join(tools, at));
			await expect(writeSource(tools, integration, "a/b.ts", "x")).rejects.toThrow(SourceRefused);
		}),
	);

	it("does not replace a link or a folder", () =>
		inFolder(async (tools, outside) => {
			await mkdir(join(tools, "notes/c.ts"), { recursive: true });
			await writeFile(join(outside, "real.ts"), "kept");
			await symlink(join(outside, "real.ts"), join(tools, "notes/b.ts"));
			await expect(writeSource(tools, integration, "b.ts", "x")).rejects.toThrow(SourceRefused);
			await expect(writeSource(tools, integration, "c.ts", "x")).rejects.toThrow(SourceRefused);
			expect(await readFile(join(outside, "real.ts"), "utf8")).toBe("kept");
		}));
});
