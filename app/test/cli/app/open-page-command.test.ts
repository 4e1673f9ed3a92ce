import { expect, it } from "vitest";
import { openPageCommand } from "../../../src/cli/app/open-page-command.ts";
import { RecordingConsole } from "../../support/recording-console.ts";

/** A running app that counts the links that it makes. */
function runningApp() {
	let links = 0;
	return {
		...{ url: "http://127.0.0.1:8788", pid: 7 },
		process: { pid: 7, version: "0.1.0", runsAs: "command" } as const,
		openKey: async () => `/?key=${++links}`,
	};
}

it("prints a link that was not used yet where neither a window nor a browser can be opened", async () => {
	const console = new RecordingConsole();
	const running = runningApp();
	const context = {
		...{ home: "/home", running: async () => running, buildPage: async () => {}, console },
		open: async () => {
			throw new Error("no browser");
		},
		showWindow: async (newLink: () => Promise<string>) => {
			await newLink();
			throw new Error("no window");
		},
	};
	expect(await openPageCommand(context, "window")).toBe(0);
	expect(console.lines).toEqual(["http://127.0.0.1:8788/?key=2"]);
	expect(console.notes).toEqual(["Couldn't open a browser here. Open the link yourself."]);
});

it("prints a link that the browser which it opens has not used", async () => {
	const console = new RecordingConsole();
	const running = runningApp();
	const opened: string[] = [];
	const context = {
		...{ home: "/home", running: async () => running, buildPage: async () => {}, console },
		open: async (url: string) => void opened.push(url),
		showWindow: () => Promise.reject(new Error("not part of this")),
	};
	expect(await openPageCommand(context, "browser")).toBe(0);
	expect(console.lines).toEqual(["http://127.0.0.1:8788/?key=1"]);
	expect(opened).toEqual(["http://127.0.0.1:8788/?key=2"]);
});
