/** The window runs in a separate process, so that a crash of the web view affects nothing else. */
import { createInterface } from "node:readline";
import { noticeOf } from "./window-notice.ts";
import { WindowOrder, type WindowWord } from "./window-words.ts";

const NO_WINDOW = 3;

function say(word: WindowWord): void {
	process.stdout.write(`${JSON.stringify(word)}\n`);
}

async function openWindow({ link, dataDirectory, title }: WindowOrder): Promise<() => void> {
	const { Application, Notification } = await import("@webviewjs/webview");
	const { origin } = new URL(link);
	const app = new Application();
	await app.whenReady();
	const window = app.createBrowserWindow({ title, width: 1280, height: 820 });
	window.setMinSize(360, 480);
	// External links open in the browser; the window shows only the app.
	const stay = (url: string) => {
		if (url.startsWith(`${origin}/`) || url === "about:blank" || url.startsWith("blob:")) return true;
		say({ type: "outside", url });
		return false;
	};
	const view = window.createWebview({
		url: link,
		webContext: app.createWebContext({ dataDirectory }),
		clipboard: true,
		hotkeysZoom: true,
		navigationHandler: stay,
		newWindowHandler: ({ url }) => {
			if (url !== undefined) stay(url);
			return false;
		},
	});
	view.once("page-load-finished", () => say({ type: "open" }));
	view.on("title-changed", ({ title: changed }) => window.setTitle((changed ?? title).slice(0, 200)));
	view.onIpcMessage(({ body }) => {
		const notice = noticeOf(body.toString());
		if (notice === undefined || window.isFocused()) return;
		// A notification that cannot be shown is never fatal, and its error event is ignored: the page shows the same message.
		try {
			new Notification(notice.title, { body: notice.body }).on("error", () => undefined);
		} catch (error) {
			process.stderr.write(`The notification couldn't be shown: ${rootOf(error)}\n`);
		}
	});
	app.on("application-close-requested", () => app.exit());
	app.on("window-close-requested", () => process.exit(0));
	return () => app.exit();
}

/**
 * The most useful message among an error and its causes. A native loader tries several paths, and an error about a missing or outdated
 * library explains more than one about a path that does not exist.
 */
function rootOf(error: unknown): string {
	const said: string[] = [];
	for (let at = error; at instanceof Error && said.length < 20; at = at.cause) said.push(at.message.split("\n", 1)[0] ?? "");
	const why = said.find((line) => !line.startsWith("Cannot find")) ?? said[0] ?? String(error);
	return why.slice(0, 300);
}

const lines = createInterface({ input: process.stdin });
let close: () => void = () => undefined;
lines.once("line", (line) => {
	openWindow(WindowOrder.parse(JSON.parse(line))).then(
		(end) => {
			close = end;
		},
		(error: unknown) => {
			say({ type: "none", why: rootOf(error) });
			process.exitCode = NO_WINDOW;
			lines.close();
			process.stdin.destroy();
		},
	);
});
lines.once("close", () => {
	close();
	// The native loop has ended.
	setImmediate(() => process.exit());
});
