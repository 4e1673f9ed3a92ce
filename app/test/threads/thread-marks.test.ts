import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { tagProblem } from "../../src/threads/domain/tag-problem.ts";
import { CoreScene } from "../support/core-scene.ts";

const noThread = "draft:2026-11-21-2wrgxmxjyc";

describe("marks of a thread", () => {
	it("are in the lists of the command and the page, stay over a restart, and go with the thread", async () => {
		await using scene = await CoreScene.open();
		const sent = await scene.send("one");
		await scene.end(sent);
		const { threadId } = sent;
		const { pinnedAt } = await scene.api.markThread({ threadId, pinned: true, tags: ["Work", "to read"] });
		expect(pinnedAt).toBeDefined();
		await scene.restart();
		const [listed] = await scene.api.listThreads({ archived: false });
		expect(listed).toMatchObject({ pinnedAt, tags: ["Work", "to read"] });
		// What is not named stays, and a second pin keeps the time of the first.
		expect(await scene.api.markThread({ threadId, tags: [] })).toEqual({ pinnedAt });
		expect(await scene.api.markThread({ threadId, pinned: true })).toEqual({ pinnedAt });
		expect(await scene.api.markThread({ threadId, pinned: false })).toEqual({});
		await scene.api.markThread({ threadId, pinned: true });
		await scene.api.deleteThread({ threadId });
		const left: unknown[] = [];
		await scene.restart(() => {
			const db = new Database(join(scene.home, "app", "app.sqlite"));
			left.push(db.prepare("SELECT count(*) FROM thread_marks").pluck().get());
			db.close();
		});
		expect(left).toEqual([0]);
	});

	it("are refused for a thread that is not there", async () => {
		await using scene = await CoreScene.open();
		await expect(scene.api.markThread({ threadId: noThread as never, pinned: true })).rejects.toMatchObject({ code: "THREAD_NOT_FOUND" });
	});
});

describe("tags", () => {
	it.each([
		["none", [], undefined],
		["words of any script", ["Работа", "to read", "日本"], undefined],
		["40 letters beyond the basic plane", ["𝒂".repeat(40)], undefined],
		["too long", ["x".repeat(41)], "A tag can have at most 40 characters."],
		["too many", Array.from({ length: 21 }, (_, index) => `t${index}`), "A thread can have at most 20 tags."],
		["empty", [""], "A tag must be visible text without commas or surrounding spaces."],
		["with spaces around it", [" a"], "A tag must be visible text without commas or surrounding spaces."],
		["with a comma", ["a,b"], "A tag must be visible text without commas or surrounding spaces."],
		["with a control character", ["a\u0007"], "A tag must be visible text without commas or surrounding spaces."],
		["that reorders text", ["\u202Egnp"], "A tag must be visible text without commas or surrounding spaces."],
		["with half a letter", ["\uD800"], "A tag must be visible text without commas or surrounding spaces."],
		["twice but for case and accents", ["Café", "cafe"], "Two of these tags are the same. Case and accents are ignored."],
	])("%s", (_, tags, problem) => {
		expect(tagProblem(tags)).toBe(problem);
	});
});
