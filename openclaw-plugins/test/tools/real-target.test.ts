import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { actsBeyondScope } from "../../src/tools/classify-call.ts";
import { isBelow, realTarget } from "../../src/tools/real-target.ts";
import { writtenPaths } from "../../src/tools/written-paths.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

describe("where a write would land", () => {
	it("is inside the scope only for paths that really lead there", async () => {
		await using folder = await temporaryFolder();
		const scope = join(folder.path, "scope");
		mkdirSync(join(scope, "sub"), { recursive: true });
		mkdirSync(join(folder.path, "outside"));
		symlinkSync(join(folder.path, "outside"), join(scope, "link"));
		symlinkSync(join(folder.path, "outside", "x"), join(scope, "file-link"));
		symlinkSync(scope, join(folder.path, "alias"));
		writeFileSync(join(scope, "there.txt"), "");
		const isInside = (path: string) => isBelow(realTarget(path) ?? "", scope);
		for (const path of ["a.txt", "sub/a.txt", "new/deep/a.txt", "there.txt"])
			expect([path, isInside(join(scope, path))]).toEqual([path, true]);
		expect(isInside(join(folder.path, "alias", "a.txt"))).toBe(true);
		const outside = [
			`${scope}/../outside/x`,
			join(scope, "link", "x"),
			join(scope, "link", "new", "x"),
			join(scope, "file-link"),
			`${scope}x/y`,
			scope,
			"a.txt",
			`${scope}//a.txt`,
			`${scope}/a\0b`,
			"",
		];
		for (const path of outside) expect([path, isInside(path)]).toEqual([path, false]);
	});

	it("is never inside for a path with a way out in it", () => {
		fc.assert(
			fc.property(fc.array(fc.constantFrom("..", ".", "", "a", "tmp"), { maxLength: 8 }), (segments) => {
				const target = realTarget(`/nowhere-at-all/scope/${segments.join("/")}`);
				if (segments.includes("..") || segments.includes(".") || segments.includes("")) expect(target).toBeUndefined();
			}),
		);
	});
});

describe("what acts beyond the scope", () => {
	const acts = (toolName: string, params: Record<string, unknown> = {}, isInScope = false) =>
		actsBeyondScope({ toolName, params }, () => isInScope);

	it("is every tool that is not known to change nothing", () => {
		fc.assert(fc.property(fc.string(), (name) => acts(name) || /^[a-z_]+$/.test(name)));
		for (const name of ["exec", "message", "sessions_spawn", "image_generate", "a_tool_of_tomorrow", "constructor", "__proto__"])
			expect(acts(name)).toBe(true);
		expect([
			acts("read"),
			acts("process", { action: "poll" }),
			acts("process", { action: "write" }),
			acts("session_status"),
			acts("session_status", { model: "x" }),
		]).toEqual([false, false, true, false, true]);
	});

	it("counts every file of a patch", () => {
		const input = "*** Begin Patch\n*** Add File: /s/a\n+x\n*** Update File: /s/b\n*** Move to: /etc/c\n*** End Patch";
		expect(writtenPaths({ toolName: "apply_patch", params: { input } })).toEqual(["/s/a", "/s/b", "/etc/c"]);
		expect(acts("apply_patch", { input }, true)).toBe(false);
		expect(acts("apply_patch", { input: "nothing a patch would say" }, true)).toBe(true);
	});
});
