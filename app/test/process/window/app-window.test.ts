import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { showWindow } from "../../../src/cli/app/show-window.ts";
import { NoWindow, openAppWindow } from "../../../src/process/window/app-window.ts";
import { noticeOf } from "../../../src/process/window/window-notice.ts";
import { RecordingConsole } from "../../support/recording-console.ts";
import { temporaryHome } from "../../support/temporary-home.ts";
import { until } from "../../support/until.ts";

const program = fileURLToPath(new URL("./fake-window.ts", import.meta.url));
const LINK = "http://127.0.0.1:1/open/the-key";

async function open(title: string, home: string, opened: string[] = [], openMs = 10_000) {
	const openOutside = async (url: string) => void opened.push(url);
	const env = { PATH: process.env.PATH };
	return await openAppWindow({ link: LINK, dataDirectory: join(home, "window"), title, env, openOutside, program, openMs });
}

describe("a window of its own", () => {
	it("opens by a link that is no argument, and gives what leads elsewhere to the browser, addresses of the web alone", async () => {
		using home = temporaryHome();
		const outside: string[] = [];
		await using window = await open("open", home.path, outside);
		await until("the addresses", () => outside.length >= 2);
		expect(outside).toEqual(["https://example.org/", "https://example.org/argument/false/none"]);
		await window[Symbol.asyncDispose]();
		expect(await window.closed).toBe(true);
	});

	it.each([
		["none", "no display"],
		["die", "cannot open display"],
		["hang", "nothing was shown within 0.5 s"],
	])("that cannot be had (%s) says why", async (title, why) => {
		using home = temporaryHome();
		const trying = open(title, home.path, [], title === "hang" ? 500 : 10_000);
		await expect(trying).rejects.toThrow(new NoWindow(why));
	});

	it("that crashes harms nobody, and is told apart from one that was closed", async () => {
		using home = temporaryHome();
		await using window = await open("crash", home.path);
		expect(await window.closed).toBe(false);
	});

	it("that ends because the app closes it did not close unexpectedly, and no interrupt of the terminal reaches it", async () => {
		using home = temporaryHome();
		const outside: string[] = [];
		await using window = await open("end badly", home.path, outside);
		await until("its group", () => outside.length > 0);
		expect(outside).toEqual(["https://example.org/leads/true"]);
		await window[Symbol.asyncDispose]();
		expect(await window.closed).toBe(true);
	});

	it("without a display falls back to the browser with a word, by a link of its own", async () => {
		using home = temporaryHome();
		const console = new RecordingConsole();
		const opened: string[] = [];
		let links = 0;
		const env = { PATH: process.env.PATH, HOME: home.path, XWORKMATE_TOKEN: "secret" };
		const openOutside = async (url: string) => void opened.push(url);
		const window = await showWindow({ home: home.path, env, console, openOutside }, () => `http://127.0.0.1:1/open/key-${++links}`);
		expect(window).toBeUndefined();
		expect(opened).toEqual(["http://127.0.0.1:1/open/key-2"]);
		expect(console.notes.join("\n")).toMatch(/XWorkmate can't open its own window here: .+\n(?:.*\n)?Opening the browser instead\./);
	}, 30_000);
});

describe("what the page says to its window", () => {
	it("is a notice of bounded words, or nothing", () => {
		expect(noticeOf('{"notice":{"title":"XWorkmate","body":"done"}}')).toEqual({ title: "XWorkmate", body: "done" });
		for (const message of [
			"",
			"{",
			"null",
			'{"notice":{"title":1}}',
			'{"open":"/etc"}',
			`{"notice":{"title":"a","body":"${"b".repeat(5_000)}"}}`,
		])
			expect(noticeOf(message)).toBeUndefined();
	});
});
