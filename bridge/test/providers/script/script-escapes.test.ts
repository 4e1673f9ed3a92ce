import { lstat, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
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

/** The type checker would refuse most of these; here it is told to look away, so that the sandbox alone stands. */
function unchecked(program: string): string {
	return `const G = globalThis as any; void G;\n// @ts-ignore\n${program.split("\n").join("\n// @ts-ignore\n")}`;
}

describe("out of the sandbox", () => {
	it.each([
		["process", "return typeof process", "undefined"],
		["require", "return typeof require", "undefined"],
		["fetch", "return typeof fetch", "undefined"],
		[
			"node's globals",
			"return ['Buffer','process','global','module','exports','Deno','Bun','WebAssembly','Worker','setTimeout'].filter((n) => G[n] !== undefined).join()",
			"",
		],
		["import()", "return await import('node:fs').then(() => 'loaded', (error: any) => error.message)", "could not load module 'node:fs'"],
		["import() of a file", "return await import('file:///etc/passwd').then(() => 'loaded', () => 'refused')", "refused"],
		["eval", "try { return G.eval('1') } catch (error: any) { return error.name }", "TypeError"],
		[
			"the Function constructor",
			"try { return new G.Function('return 1')() } catch (error: any) { return error.message }",
			"Function constructor is not allowed",
		],
		[
			"a constructor of a constructor",
			"try { return (tools.files.write as any).constructor('return this')() } catch (error: any) { return error.message }",
			"Function constructor is not allowed",
		],
		[
			"an async constructor",
			"try { return (async () => {}).constructor('return 1')() } catch (error: any) { return error.message }",
			"Function constructor is not allowed",
		],
		[
			"the constructor of a result",
			"const r: any = await tools.files.list({}); try { return r.value.files.constructor.constructor('return process')() } catch (error: any) { return error.message }",
			"Function constructor is not allowed",
		],
		[
			"the constructor of an error",
			"try { null!.x } catch (error: any) { try { return error.constructor.constructor('return process')() } catch (inner: any) { return inner.message } }",
			"Function constructor is not allowed",
		],
		[
			"prepareStackTrace",
			"(Error as any).prepareStackTrace = (_: any, s: any) => s; const s: any = new Error('x').stack; return typeof s === 'string' ? 'text' : typeof s?.[0]?.getThis?.()?.process",
			"text",
		],
		["changing tools", "try { (tools.files as any).write = () => 1 } catch (error: any) { return error.name }", "TypeError"],
		["replacing tools", "try { G.tools = 1 } catch (error: any) { return error.name }", "TypeError"],
		["changing console", "try { (console as any).log = () => 1 } catch (error: any) { return error.name }", "TypeError"],
		["changing a prototype", "try { (Array.prototype as any).push = () => 1 } catch (error: any) { return error.name }", "TypeError"],
		[
			"looking into the prelude",
			"return typeof pack + typeof program + typeof blocking + typeof rendered",
			"undefinedundefinedundefinedundefined",
		],
		["arguments and this", "return String(this) + arguments.length", "undefined0"],
		["shared memory", "return typeof G.SharedArrayBuffer + typeof G.Atomics", "undefinedundefined"],
		[
			"what the prelude left",
			"return Object.getOwnPropertyNames(globalThis).filter((n) => !/^[A-Z]/.test(n)).sort().join()",
			"console,decodeURI,decodeURIComponent,encodeURI,encodeURIComponent,escape,globalThis,isFinite,isNaN,parseFloat,parseInt,tools,undefined,unescape",
		],
		[
			"the caller of a tool",
			"try { return typeof (tools.files.write as any).caller } catch (error: any) { return error.name }",
			"TypeError",
		],
		["the stack of an error", "return /host|node:|\\//.test(String(new Error('x').stack))", "false"],
		[
			"a getter that waits for the prelude",
			"const names: string[] = []; const trap: any = new Proxy({ path: 'a' }, { get(t: any, k) { names.push(String(k)); return t[k] } }); await tools.files.read(trap); return names.every((n) => ['path', 'toJSON'].includes(n))",
			"true",
		],
	])("there is no way by %s", async (_name, program, answer) => {
		const { outcome, sink } = await rig.run(unchecked(program));
		expect(outcome).toEqual({ kind: "ended" });
		expect(sink.text("result")).toBe(answer);
		expect(await rig.disk()).not.toContain("escaped");
	});

	it("leaves nothing behind for the next run", async () => {
		await rig.run(
			unchecked("G.left = 1; try { (Object.prototype as any).left = 1 } catch {}; try { (Error.prototype as any).left = 1 } catch {}"),
		);
		const { sink } = await rig.run(unchecked("return [G.left, ({} as any).left, (new Error('x') as any).left].join()"));
		expect(sink.text("result")).toBe(",,");
	});

	it("does not pollute the bridge's own objects", async () => {
		const { outcome, sink } = await rig.run(`
			const own = JSON.parse('{"__proto__": {"polluted": true}, "path": "a.txt", "text": "x"}');
			const nested = JSON.parse('{"path": {"__proto__": {"polluted": true}}, "text": "x"}');
			const results = [await tools.files.write(own), await tools.files.write(nested)];
			return { ["__proto__"]: { polluted: true }, codes: results.map((result) => result.ok || result.error.code) };
		`);
		expect(Reflect.get({}, "polluted")).toBeUndefined();
		expect(sink.text("result")).toContain("INVALID_INPUT");
		expect(outcome).toMatchObject({ kind: "failed", code: "TOOL_FAILED" });
	});

	it.each([
		["an extra key", "{ path: 'a', text: 'b', mode: 0o777 }"],
		["text and base64", "{ path: 'a', text: 'b', base64: 'AA==' }"],
		["neither", "{ path: 'a' }"],
		["a path that is no string", "{ path: ['a'], text: 'b' }"],
		["a path with a toString", "{ path: { toString: () => 'a' }, text: 'b' }"],
		["bytes for text", "{ path: 'a', text: new Uint8Array(4) }"],
		["long bytes for text", "{ path: 'a', text: new Uint16Array(5000) }"],
		["half a character", "{ path: 'a', text: '\\ud800' }"],
		["half a character in a long text", "{ path: 'a', text: 'é日'.repeat(5000) + '\\ud800' }"],
		["base64 with blanks", "{ path: 'a', base64: 'AA ==' }"],
		["base64 without its padding", "{ path: 'a', base64: 'AA' }"],
		["an array", "['a', 'b']"],
		["a Map", "new Map([['path', 'a'], ['text', 'b']])"],
		["nothing", "undefined"],
	])("refuses %s as input", async (_name, input) => {
		const { outcome, sink, directory } = await rig.run(
			unchecked(`const r = await tools.files.write(${input} as any); return r.ok || r.error.code`),
		);
		expect(["INVALID_INPUT", ""]).toContain(sink.text("result"));
		expect(outcome).toMatchObject({ kind: "failed" });
		expect(await readdir(directory)).toEqual([]);
	});

	it.each(["-1", "1.5", "NaN", "Infinity", "'5'", "2 ** 40", "{}"])("refuses to wait %s", async (ms) => {
		const { sink } = await rig.run(unchecked(`const r = await tools.time.wait({ ms: ${ms} as any }); return r.ok || r.error.code`));
		expect(sink.text("result")).toBe("INVALID_INPUT");
	});
});

describe("out of the scope", () => {
	it.each([
		["..", "../escaped", "unsafe_name"],
		["deep ..", "a/../../escaped", "unsafe_name"],
		["..", "a/..", "unsafe_name"],
		["an absolute path", "/tmp/escaped", "unsafe_name"],
		["a drive", "C:\\escaped", "unsafe_name"],
		["a backslash", "..\\escaped", "unsafe_name"],
		["NUL", "escaped\0.txt", "unsafe_name"],
		["a line end", "escaped\n.txt", "unsafe_name"],
		["a terminal sequence", "\u001b[2Jescaped", "unsafe_name"],
		["reversed text", "gpj.\u202eescaped", "unsafe_name"],
		["nothing", "", "unsafe_name"],
		["a dot", ".", "unsafe_name"],
		["a double slash", "a//escaped", "unsafe_name"],
		["a slash at the end", "escaped/", "unsafe_name"],
		["decomposed letters", "e\u0301scaped", "unsafe_name"],
		["half a character", "escaped\ud800", "unsafe_name"],
		["a long name", "x".repeat(256), "unsafe_name"],
		["a long path", "escaped/".repeat(200).slice(0, -1), "unsafe_name"],
		["the manifest's folder", ".xworkmate/manifest.json", "reserved_name"],
		["the manifest's folder in capitals", ".XWorkMate/escaped", "reserved_name"],
		["the versions' folder", ".versions/escaped", "reserved_name"],
	])("a path with %s is refused and told", async (_name, path, reason) => {
		const before = await rig.disk();
		const { outcome, sink, directory } = await rig.run(
			`const r = await tools.files.write({ path: ${JSON.stringify(path)}, text: 'x' }); return r.ok ? 'written' : r.error.code`,
		);
		expect(outcome).toMatchObject({ kind: "failed", code: "TOOL_FAILED" });
		expect(sink.rejected).toHaveLength(1);
		expect(sink.rejected[0]?.reason).toBe(reason);
		expect(sink.notices()).toHaveLength(1);
		expect(sink.notices()[0]).toMatch(/^WRITE_REFUSED .* was not written: /);
		expect(sink.notices()[0]).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
		expect(sink.toolCalls().at(-1)?.state).toBe("failed");
		expect(sink.toolCalls().at(-1)?.title).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
		expect(await readdir(directory)).toEqual([]);
		expect((await rig.disk()).filter((entry) => !before.includes(entry))).toEqual([directory.slice(rig.home.length + 1)]);
	});

	it("a name that differs only in case is refused, the first one stays", async () => {
		const { outcome, sink, directory } = await rig.run(`
			const results = [];
			for (const path of ["Report.md", "report.md", "Dir/a", "dir/b", "Report.md"]) results.push(await tools.files.write({ path, text: path }));
			return results.map((result) => result.ok || result.error.code);
		`);
		expect(outcome).toEqual({ kind: "ended" });
		expect(JSON.parse(sink.text("result"))).toEqual([true, "NAME_COLLISION", true, "NAME_COLLISION", true]);
		expect((await readdir(directory, { recursive: true })).sort()).toEqual(["Dir", "Dir/a", "Report.md"]);
		expect(sink.rejected).toEqual([
			{ path: "report.md", reason: "name_collision" },
			{ path: "dir/b", reason: "name_collision" },
		]);
	});

	it("a run that wrote something and was refused something has ended well", async () => {
		const { outcome, sink } = await rig.run(
			"await tools.files.write({path: '../x', text: ''}); await tools.files.write({path: 'x', text: ''});",
		);
		expect(outcome).toEqual({ kind: "ended" });
		expect(sink.rejected).toEqual([{ path: "../x", reason: "unsafe_name" }]);
	});

	it("a thousand refusals are told a hundred times", async () => {
		const { sink } = await rig.run("for (let i = 0; i < 1000; i++) await tools.files.write({path: '../' + i, text: ''})");
		expect(sink.rejected).toHaveLength(100);
		expect(sink.notices()).toHaveLength(101);
	});
});

describe("links placed into the scope by somebody else", () => {
	async function withLinks(prompt: string): Promise<{ sink: MemorySink; directory: string; outside: string; outcome: unknown }> {
		const turn = await rig.turn(prompt);
		const outside = join(rig.home, `outside-${turn.runId}`);
		await mkdir(join(outside, "sub"), { recursive: true });
		await writeFile(join(outside, "secret.txt"), "secret");
		await symlink(outside, join(turn.artifactDirectory, "folder"));
		await symlink(join(outside, "secret.txt"), join(turn.artifactDirectory, "file.txt"));
		await symlink(join(outside, "new.txt"), join(turn.artifactDirectory, "dangling.txt"));
		await mkdir(join(turn.artifactDirectory, "real"));
		await symlink(join(outside, "sub"), join(turn.artifactDirectory, "real/inner"));
		const sink = new MemorySink();
		const outcome = await rig.provider.runTurn(turn, sink, new AbortController().signal);
		return { sink, directory: turn.artifactDirectory, outside, outcome };
	}

	it("are not written through, read through, or listed", async () => {
		const { sink, outside, outcome } = await withLinks(`
			const codes: unknown[] = [];
			for (const path of ["folder/x.txt", "folder/deep/x.txt", "file.txt", "dangling.txt", "real/inner/x.txt", "folder"]) {
				const written = await tools.files.write({ path, text: "x" });
				const read = await tools.files.read({ path: path === "folder/x.txt" ? "folder/secret.txt" : path });
				codes.push([written.ok || written.error.code, read.ok || read.error.code]);
			}
			const listed = await tools.files.list({});
			return { codes, listed: listed.ok && listed.value.files };
		`);
		expect(outcome).toMatchObject({ kind: "failed", code: "TOOL_FAILED" });
		const { codes, listed } = JSON.parse(sink.text("result"));
		expect(codes.flat()).not.toContain(true);
		expect(listed).toEqual([]);
		expect((await readdir(outside, { recursive: true })).sort()).toEqual(["secret.txt", "sub"]);
		expect(await readFile(join(outside, "secret.txt"), "utf8")).toBe("secret");
		expect(new Set(sink.rejected.map((rejected) => rejected.reason))).toEqual(new Set(["write_refused"]));
	});

	it("in the place of the staging folder stop every write", async () => {
		const turn = await rig.turn("const r = await tools.files.write({path: 'a.txt', text: 'x'}); return r.ok || r.error.code");
		const outside = join(rig.home, "staging-outside");
		await mkdir(outside);
		await symlink(outside, join(turn.artifactDirectory, ".xworkmate"));
		const sink = new MemorySink();
		const outcome = await rig.provider.runTurn(turn, sink, new AbortController().signal);
		expect(outcome).toMatchObject({ code: "TOOL_FAILED" });
		expect(sink.text("result")).toBe("OUTSIDE_SCOPE");
		expect(await readdir(outside)).toEqual([]);
		expect((await lstat(join(turn.artifactDirectory, ".xworkmate"))).isSymbolicLink()).toBe(true);
	});
});
