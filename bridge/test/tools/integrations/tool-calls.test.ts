import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { HostPool } from "../../../src/tools/integrations/host-pool.ts";
import { hostedCall, never, toolFile, withDemo } from "./home-under-test.ts";

const bounds = { examineMs: 1_500, cancelMs: 300 };
const hang = "async () => new Promise(() => setInterval(() => {}, 1000))";
const spin = "async () => { for (;;) {} }";

describe("an input is examined before its call", { timeout: 40_000 }, () => {
	it("[T1-16] is read by the schema and worded by the tool", async () => {
		const more =
			'describe: ({ text }) => "Say\\n\\u202e" + JSON.stringify(text) + "\\u0007 now", policy: ({ text }) => (text === "no" ? "deny" : "allow")';
		await using home = await withDemo(toolFile({ input: "z.strictObject({ text: z.string().trim().default('hi') })", more }));
		const tool = await home.tool("demo.say");
		expect(await home.tools.hosts.examine(tool, { text: " a " })).toEqual({
			kind: "valid",
			input: { text: "a" },
			words: 'Say \\u{202e}"a"\\u{7} now',
			policy: "allow",
		});
		expect(await home.tools.hosts.examine(tool, {})).toMatchObject({ kind: "valid", input: { text: "hi" } });
		expect(await home.tools.hosts.examine(tool, { text: "no" })).toMatchObject({ policy: "deny" });
		expect(await home.tools.hosts.examine(tool, { text: 1 })).toMatchObject({
			kind: "invalid",
			message: expect.stringContaining("text: "),
		});
		expect(await home.tools.hosts.examine(tool, { text: "a", more: 1 })).toMatchObject({ kind: "invalid" });
	});

	it("refuses what no schema should see: __proto__, ten thousand levels, nothing", async () => {
		await using home = await withDemo(toolFile({ input: "z.unknown()" }));
		const tool = await home.tool("demo.say");
		let deep: unknown = {};
		for (let level = 0; level < 10_000; level++) deep = { deep };
		const hosts = home.tools.hosts;
		expect(await hosts.examine(tool, deep)).toEqual({ kind: "invalid", message: expect.stringContaining("64 levels") });
		expect(await hosts.examine(tool, JSON.parse('{"a":[{"__proto__":{"admin":true}}]}'))).toEqual({
			kind: "invalid",
			message: 'The value has a member named "__proto__".',
		});
		expect(await hosts.examine(tool, undefined)).toMatchObject({ kind: "invalid" });
		expect(await hosts.examine(tool, "x".repeat(9 * 2 ** 20))).toMatchObject({
			kind: "invalid",
			message: expect.stringContaining("8.4 MB"),
		});
		expect(await hosts.examine(tool, { text: "x".repeat(2 * 2 ** 20) })).toMatchObject({ kind: "valid" });
	});

	it.each([
		["throws", "() => { throw new Error('no'); }"],
		["answers something else", "() => 'maybe'"],
		["never ends", "() => { for (;;) {} }"],
	])("a policy that %s has failed", async (_what, policy) => {
		await using home = await withDemo(toolFile({ more: `policy: ${policy}` }), { bounds });
		expect(await home.tools.hosts.examine(await home.tool("demo.say"), { text: "a" })).toEqual({
			kind: "valid",
			input: { text: "a" },
			words: "Call demo.word.say",
			policy: "failed",
		});
	});

	it("words that throw are left out, and words that never end deny the call", async () => {
		const more = "describe: ({ text }) => { if (text === 'throw') throw new Error(); for (;;) {} }";
		await using home = await withDemo(toolFile({ more }), { bounds });
		const tool = await home.tool("demo.say");
		expect(await home.tools.hosts.examine(tool, { text: "throw" })).toEqual({
			kind: "valid",
			input: { text: "throw" },
			words: "Call demo.word.say",
		});
		expect(await home.tools.hosts.examine(tool, { text: "hang" })).toMatchObject({ words: "Call demo.word.say", policy: "failed" });
		expect(await home.tools.hosts.examine(tool, { text: "throw" })).toMatchObject({ kind: "valid" });
	});

	it("a schema that never ends loses the process, and the next one works", async () => {
		const input = "z.strictObject({ text: z.string().refine((text) => { while (text === 'hang'); return true; }) })";
		await using home = await withDemo(toolFile({ input }), { bounds });
		const tool = await home.tool("demo.say");
		expect(await home.tools.hosts.examine(tool, { text: "hang" })).toMatchObject({ kind: "lost" });
		expect(await home.tools.hosts.examine(tool, { text: "a" })).toMatchObject({ kind: "valid" });
	});
});

it("a process that answers again and again to put off its end is ended", { timeout: 40_000 }, async () => {
	const head = `import { writeSync } from "node:fs";
		const text = Buffer.from("{}");
		const forge = (head) => {
			const json = Buffer.from(JSON.stringify(head));
			const frame = Buffer.alloc(12 + json.length + text.length);
			frame.writeUInt32LE(frame.length - 4, 0);
			frame.writeUInt32LE(json.length, 4);
			json.copy(frame, 8);
			frame.writeUInt32LE(text.length, 8 + json.length);
			text.copy(frame, 12 + json.length);
			writeSync(1, frame);
		};`;
	const input = `z.string().refine(async () => { setInterval(() => forge({ kind: "parsed", id: 1, valid: true }), 50); await new Promise(() => {}); })`;
	await using home = await withDemo(toolFile({ head, input }));
	const examined = await home.tools.hosts.examine(await home.tool("demo.say"), "text");
	expect(examined).toEqual({ kind: "lost", message: "Its process was terminated: it answered in the wrong order." });
});

describe("a handler is called", { timeout: 40_000 }, () => {
	it("[T1-69] with its context, once, and its output is what the schema makes of it", async () => {
		const handler = `async ({ text }, { runId, toolCallId, idempotencyKey, attempt, dataFolder, signal, http }) => {
			await appendFile(join(dataFolder, "calls"), "x");
			return { said: [text, runId, toolCallId, idempotencyKey, attempt, signal.aborted, typeof http].join(), more: 1 };
		}`;
		const head = 'import { appendFile } from "node:fs/promises";\nimport { join } from "node:path";\n';
		await using home = await withDemo(toolFile({ handler, head }));
		const call = hostedCall();
		const outcome = await home.tools.hosts.call(await home.tool("demo.say"), call, never);
		expect(outcome).toMatchObject({
			kind: "succeeded",
			output: { said: expect.stringContaining(`hello,${call.runId},${call.toolCallId},${call.idempotencyKey},1,false,`) },
		});
		expect(outcome).not.toMatchObject({ output: { more: 1 } });
		expect(await readFile(join(home.path, "tool-data", "demo", "calls"), "utf8")).toBe("x");
	});

	it.each([
		["throws", "async () => { throw new Error('not today'); }", { kind: "failed", code: "TOOL_FAILED", message: "not today" }, "failed"],
		[
			"says what failed",
			"async () => { throw new ToolFailed('read-only'); }",
			{ kind: "failed", code: "TOOL_FAILED", message: "read-only" },
			"failed",
		],
		[
			"does not know",
			"async () => { throw new OutcomeUnknown('lost'); }",
			{ kind: "unknown", code: "OUTCOME_UNKNOWN", message: "lost" },
			"failed",
		],
		["returns another shape", "async () => ({ said: 1 })", { kind: "unknown", code: "INVALID_OUTPUT" }, "failed"],
		["returns nothing", "async () => undefined", { kind: "unknown", code: "INVALID_OUTPUT" }, "failed"],
		["exits", "async () => process.exit(0)", { kind: "unknown", code: "HOST_LOST" }, "failed"],
		["never ends", hang, { kind: "unknown", code: "TOOL_TIMEOUT" }, "failed"],
		["never lets go", spin, { kind: "unknown", code: "TOOL_TIMEOUT" }, "failed"],
	])("one that %s", async (_what, handler, outcome, ofRead) => {
		const more = handler === hang || handler === spin ? "timeoutMs: 300" : "";
		const read = toolFile({ id: "demo.word.read", method: "read", risk: "read", handler, more }).replace(/^import.*$/gm, "");
		await using home = await withDemo(toolFile({ handler, more }) + read, { bounds });
		const hosts = home.tools.hosts;
		expect(await hosts.call(await home.tool("demo.say"), hostedCall(), never)).toMatchObject(outcome);
		expect(await hosts.call(await home.tool("demo.read"), hostedCall(), never)).toMatchObject({ kind: ofRead });
	});

	it("has failed, with nothing unknown, if its process ended before it was passed on", async () => {
		await using home = await withDemo(toolFile({}));
		const tool = await home.tool("demo.say");
		const { use } = HostPool.prototype;
		using _spy = vi.spyOn(HostPool.prototype, "use").mockImplementationOnce(function (this: HostPool, version, work) {
			return use.call(this, version, async (host) => {
				await host.kill("it was not needed");
				return work(host);
			});
		});
		expect(await home.tools.hosts.call(tool, hostedCall(), never)).toEqual({
			kind: "failed",
			code: "HOST_LOST",
			message: "Its process was terminated: it was not needed.",
		});
	});

	it.each([
		["an output with __proto__", `z.unknown()`, `async () => JSON.parse('{"__proto__":1}')`],
		[
			"an output that is nested too deeply",
			"z.unknown()",
			"async () => { let a = {}; for (let n = 0; n < 200; n++) a = { a }; return a; }",
		],
		["an output without a JSON form", "z.unknown()", "async () => 1n"],
	])("refuses %s", async (_what, output, handler) => {
		await using home = await withDemo(toolFile({ output, handler }));
		expect(await home.tools.hosts.call(await home.tool("demo.say"), hostedCall(), never)).toMatchObject({
			kind: "unknown",
			code: "INVALID_OUTPUT",
		});
	});

	it("is told of a cancellation, and may still say what it did", async () => {
		const handler = `async ({ text }, { signal, dataFolder }) => {
			writeFileSync(dataFolder + "/" + text, "");
			await new Promise((resolve) => signal.addEventListener("abort", resolve));
			if (text === "done") return { said: "done" };
			throw text === "undone" ? new ToolFailed("undone") : signal.reason;
		}`;
		await using home = await withDemo(toolFile({ handler, head: 'import { writeFileSync } from "node:fs";' }));
		const tool = await home.tool("demo.say");
		const cancelled = async (text: string) => {
			const cancel = new AbortController();
			const outcome = home.tools.hosts.call(tool, hostedCall({ text }), cancel.signal);
			await expect
				.poll(() => readFile(join(home.path, "tool-data", "demo", text)).catch(() => undefined), { timeout: 20_000 })
				.toBeDefined();
			cancel.abort();
			return outcome;
		};
		expect(await cancelled("done")).toEqual({ kind: "succeeded", output: { said: "done" } });
		expect(await cancelled("undone")).toMatchObject({ kind: "failed", code: "TOOL_FAILED" });
		expect(await cancelled("gave-up")).toMatchObject({ kind: "unknown", code: "OUTCOME_UNKNOWN" });
	});

	it("one that does not stop when it is cancelled is killed: a write is unknown, and the next call has a new process", async () => {
		const handler = `async ({ text }, { dataFolder }) => { writeFileSync(dataFolder + "/began", ""); if (text === "hang") for (;;) {} return { said: text }; }`;
		await using home = await withDemo(toolFile({ handler, head: 'import { writeFileSync } from "node:fs";' }), { bounds });
		const tool = await home.tool("demo.say");
		const cancel = new AbortController();
		const outcome = home.tools.hosts.call(tool, hostedCall({ text: "hang" }), cancel.signal);
		await expect
			.poll(() => readFile(join(home.path, "tool-data", "demo", "began")).catch(() => undefined), { timeout: 20_000 })
			.toBeDefined();
		cancel.abort();
		expect(await outcome).toMatchObject({ kind: "unknown" });
		expect(await home.tools.hosts.call(tool, hostedCall(), never)).toMatchObject({ kind: "succeeded" });
	});

	it("a call that is cancelled before it begins does nothing", async () => {
		await using home = await withDemo(toolFile());
		const outcome = await home.tools.hosts.call(await home.tool("demo.say"), hostedCall(), AbortSignal.abort());
		expect(outcome).toMatchObject({ kind: "failed", code: "STOPPED" });
	});
});

describe("secrets", { timeout: 40_000 }, () => {
	const handler = `async ({ text }, { secret }) => {
		if (text === "throw") throw new Error("refused: " + secret("demo.key"));
		return { said: "the key is " + secret(text) };
	}`;
	const more = 'secrets: ["demo.key", "demo.other"]';

	it("come with a call alone, those that the tool names, and never come back", async () => {
		await using home = await withDemo(toolFile({ handler, more }), { environment: { DEMO_OTHER: "from-the-environment" } });
		await writeFile(
			join(home.path, "secrets.json"),
			JSON.stringify({ "demo.key": "open-sesame-42", "demo.other": "env:DEMO_OTHER", foreign: "not-for-demo" }),
			{ mode: 0o600 },
		);
		const tool = await home.tool("demo.say");
		const called = (text: string) => home.tools.hosts.call(tool, hostedCall({ text }), never);
		expect(await called("demo.key")).toEqual({ kind: "succeeded", output: { said: "the key is [redacted]" } });
		expect(await called("demo.other")).toEqual({ kind: "succeeded", output: { said: "the key is [redacted]" } });
		expect(await called("foreign")).toMatchObject({ kind: "failed", message: expect.stringContaining("does not list the secret") });
		const refused = await called("throw");
		expect(refused).toMatchObject({ kind: "failed", code: "TOOL_FAILED" });
		expect(JSON.stringify(refused)).not.toContain("sesame");
	});

	it("one that is missing fails the call with its name and what to do, and nothing is called", async () => {
		await using home = await withDemo(toolFile({ handler, more }));
		const tool = await home.tool("demo.say");
		const file = join(home.path, "secrets.json");
		const message = async () => {
			const outcome = await home.tools.hosts.call(tool, hostedCall(), never);
			return outcome.kind === "failed" ? outcome.message : outcome;
		};
		expect(await message()).toContain('The secret "demo.key" is missing. Create');
		await writeFile(file, '{"demo.key": "a value that must not be said"', { mode: 0o600 });
		expect(await message()).toBe(`${file} can't be used: it is not JSON.`);
		await writeFile(file, '{"demo.key": "open-sesame-42"}');
		expect(await message()).toBe(`The secret "demo.other" is missing. Add it to ${file}.`);
		await writeFile(file, '{"demo.key": "open-sesame-42", "demo.other": "env:DEMO_OTHER"}');
		expect(await message()).toContain("the bridge's environment variable DEMO_OTHER is empty or not set");
		await chmod(file, 0o644);
		expect(await message()).toBe(`Other users have access to ${file}. Run: chmod 600 "${file}"`);
	});

	it("are not there for what examines a call, nor in the process's environment or reach", async () => {
		const more = `secrets: ["demo.key"], describe: () => JSON.stringify(process.env) + attempt(), policy: (_input, ...more) => (more.length === 0 ? "allow" : "deny")`;
		const head = `import { readFileSync } from "node:fs";
			import { spawnSync } from "node:child_process";
			const attempt = () => ["HOME"].map(() => { try { return readFileSync(SECRETS, "utf8"); } catch (error) { return " " + error.code; } }).join() + (() => { try { spawnSync("id"); return " ran"; } catch (error) { return " " + error.code; } })();`;
		await using home = await withDemo("", {});
		const file = join(home.path, "secrets.json");
		await writeFile(file, '{"demo.key": "open-sesame-42"}', { mode: 0o600 });
		await home.write("tools/demo/tools.ts", toolFile({ more, head: head.replace("SECRETS", JSON.stringify(file)) }));
		await home.tools.service.reload({});
		expect(await home.tools.hosts.examine(await home.tool("demo.say"), { text: "a" })).toMatchObject({
			words: "{} ERR_ACCESS_DENIED ERR_ACCESS_DENIED",
			policy: "allow",
		});
	});
});
