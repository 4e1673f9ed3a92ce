import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { expectManyFilesWritten } from "./many-files.ts";
import { MemorySink, ScriptRig } from "./script-rig.ts";

// A sandbox and a compiler are started here: seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

let rig: ScriptRig;
beforeAll(async () => {
	rig = await ScriptRig.open();
});
afterAll(async () => {
	await rig[Symbol.asyncDispose]();
});

describe("a script's way from the prompt to its files", () => {
	it("writes the report and returns its word, as the first program anybody runs does", async () => {
		const { outcome, sink, directory } = await rig.run("await tools.files.write({path:'report.md', text:'# hello'}); return 'done'");
		expect(outcome).toEqual({ kind: "ended" });
		expect(sink.text("result")).toBe("done");
		expect(await readFile(join(directory, "report.md"), "utf8")).toBe("# hello");
		expect(sink.rejected).toEqual([]);
		expect(sink.toolCalls().map((call) => [call.title, call.state])).toEqual([
			["files.write report.md", "running"],
			["files.write report.md", "completed"],
		]);
		expect(sink.toolCalls()[0]?.locations).toEqual([{ path: join(directory, "report.md") }]);
	});

	it("runs the same program from a code block, with prose around it", async () => {
		const prompt =
			"Please run this:\n\n```ts\nawait tools.files.write({path:'report.md', text:'# hello'});\nreturn 'done'\n```\n\nThank you.";
		const { outcome, sink, directory } = await rig.run(prompt);
		expect(outcome).toEqual({ kind: "ended" });
		expect(sink.text("result")).toBe("done");
		expect(await readFile(join(directory, "report.md"), "utf8")).toBe("# hello");
	});

	it("leaves no trace of its staging in the scope", async () => {
		const { directory } = await rig.run("await tools.files.write({path:'a/b/c.txt', text:'x'})");
		const disk = (await rig.disk()).filter((path) => path.startsWith(directory.slice(rig.home.length + 1)));
		expect(disk.map((path) => path.split("/").slice(2).join("/"))).toEqual(["", "a", "a/b", "a/b/c.txt"]);
	});

	it("ends without output when the program says and writes nothing; what that means is the run's to say", async () => {
		const { outcome, sink } = await rig.run("const nothing: number = 1; void nothing;");
		expect(outcome).toEqual({ kind: "ended" });
		expect(sink.updates).toEqual([]);
	});

	it("writes bytes from base64, lists in byte order, and reads back", async () => {
		const { outcome, sink, directory } = await rig.run(`
			await tools.files.write({ path: "b.bin", base64: "AP8Q" });
			await tools.files.write({ path: "Z.txt", text: "grüße 😀" });
			await tools.files.write({ path: "sub/a.txt", text: "1" });
			const listed = await tools.files.list({});
			const read = await tools.files.read({ path: "Z.txt" });
			const binary = await tools.files.read({ path: "b.bin" });
			return { listed: listed.ok && listed.value.files, read: read.ok && read.value, binary: !binary.ok && binary.error.code };
		`);
		expect(outcome).toEqual({ kind: "ended" });
		expect([...(await readFile(join(directory, "b.bin")))]).toEqual([0, 255, 16]);
		expect(JSON.parse(sink.text("result"))).toEqual({
			listed: [
				{ path: "Z.txt", sizeBytes: 12 },
				{ path: "b.bin", sizeBytes: 3 },
				{ path: "sub/a.txt", sizeBytes: 1 },
			],
			read: { path: "Z.txt", text: "grüße 😀", sizeBytes: 12 },
			binary: "NOT_TEXT",
		});
	});

	it("streams the console as one message and the returned value as another, last", async () => {
		const { sink } = await rig.run(`
			console.log("one", 2, { three: 3 }, null, undefined, 4n, new TypeError("five"), Symbol("six"));
			console.warn("warned");
			console.error(["wrong"]);
			return { answer: 42 };
		`);
		expect(sink.text("console")).toBe('one 2 {"three":3} null undefined 4n TypeError: five Symbol(six)\nwarned\n["wrong"]\n');
		expect(sink.text("result")).toBe('{\n  "answer": 42\n}');
		const ids = sink.updates.map((update) => (update.kind === "message_delta" ? update.messageId : update.kind));
		expect(new Set(ids).size).toBe(2);
		expect(ids.at(-1)).toMatch(/-result$/);
	});

	it("[D32] says on the console in the order in which it happened: what comes after a tool is a message of its own", async () => {
		const { sink } = await rig.run(`
			console.log("looking");
			await tools.files.list({});
			console.log("writing");
			console.log("still");
			await tools.files.write({ path: "a.txt", text: "a" });
			console.log("done");
		`);
		const said = new Map<string, string>();
		for (const update of sink.updates) {
			if (update.kind === "message_delta") said.set(update.messageId, `${said.get(update.messageId) ?? ""}${update.text}`);
			if (update.kind === "tool_call") said.set(update.toolCallId, update.title.split(" ")[0] ?? "");
		}
		expect([...said.values()].map((words) => words.trim())).toEqual([
			"looking",
			expect.any(String),
			"writing\nstill",
			expect.any(String),
			"done",
		]);
	});

	it("shows what the console says while the program goes on", async () => {
		const turn = await rig.turn("console.log('first'); await tools.time.wait({ms: 60_000}); return 1");
		const sink = new MemorySink();
		const stop = new AbortController();
		const outcome = rig.provider.runTurn(turn, sink, stop.signal);
		await sink.seen((update) => update.kind === "message_delta" && update.text === "first\n");
		await sink.seen((update) => update.kind === "tool_call" && update.title === "time.wait 60000 ms" && update.state === "running");
		stop.abort();
		expect(await outcome).toEqual({ kind: "cancelled", remote: false });
	});

	it("carries long texts whole, in both directions and in any script of the world", async () => {
		const { outcome, sink, directory } = await rig.run(`
			const latin = "aé\\n".repeat(30_000);
			const wide = "日本😀\\"\\\\".repeat(15_000);
			await tools.files.write({ path: "latin.txt", text: latin });
			await tools.files.write({ path: "wide.txt", text: wide });
			const back = await tools.files.read({ path: "wide.txt" });
			console.log(back.ok && back.value.text === wide);
			return latin;
		`);
		expect(outcome).toEqual({ kind: "ended" });
		expect(await readFile(join(directory, "latin.txt"), "utf8")).toBe("aé\n".repeat(30_000));
		expect(await readFile(join(directory, "wide.txt"), "utf8")).toBe('日本😀"\\'.repeat(15_000));
		expect(sink.text("console")).toBe("true\n");
		expect(sink.text("result")).toBe("aé\n".repeat(30_000));
	});

	it("writes a file although the program forgot to await it", async () => {
		const { outcome, directory } = await rig.run("tools.files.write({path:'late.txt', text:'x'}); return 'ok'");
		expect(outcome).toEqual({ kind: "ended" });
		expect(await readFile(join(directory, "late.txt"), "utf8")).toBe("x");
	});

	it("waits beside other waits", async () => {
		const { sink } = await rig.run("await Promise.all([1, 2, 3].map(() => tools.time.wait({ms: 300}))); return 'waited'");
		const running = sink.toolCalls().map((call) => call.state);
		expect(running).toEqual(["running", "running", "running", "completed", "completed", "completed"]);
	});

	it("keeps previews small and says when they are cut", async () => {
		const { sink } = await rig.run("await tools.files.write({path:'big.txt', text:'é'.repeat(100_000)})");
		const [running] = sink.toolCalls();
		expect(running?.input?.truncated).toBe(true);
		expect(Buffer.byteLength(running?.input?.text ?? "")).toBeLessThanOrEqual(16 * 1024);
		expect(running?.input?.text).not.toContain("\ufffd");
	});

	it("makes a thousand small files without holding up the bridge", () => expectManyFilesWritten(rig, 1_000));
});
