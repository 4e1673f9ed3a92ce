import { join } from "node:path";
import { type AppWindow, NoWindow, openAppWindow } from "../../process/window/app-window.ts";
import { commandLine } from "../../text/command-line.ts";
import { printable } from "../../text/printable.ts";
import type { Console } from "../parts/console.ts";

export interface ShowWindowContext {
	readonly home: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly console: Console;
	/** Opens an address in this machine's browser. */
	readonly openOutside: (url: string) => Promise<void>;
}

/**
 * Opens a native window if possible, otherwise the browser, and prints which one and why. For the browser, `newLink` is called again,
 * because the window may have used the first link.
 * @throws what `newLink` and opening the browser throw, and an error of the system if the window's folder can't be created
 */
export async function showWindow(context: ShowWindowContext, newLink: () => string | Promise<string>): Promise<AppWindow | undefined> {
	const { home, env, console, openOutside } = context;
	try {
		const dataDirectory = join(home, "app", "window");
		const window = await openAppWindow({ link: await newLink(), dataDirectory, title: "XWorkmate", env: withoutOurs(env), openOutside });
		console.note(`The window is open. Closing it leaves XWorkmate running. Open it again: ${commandLine("open --window")}`);
		return window;
	} catch (error) {
		if (!(error instanceof NoWindow)) throw error;
		console.note(`XWorkmate can't open its own window here: ${printable(error.message)}`);
		if (process.platform === "linux")
			console.note("On Linux, the window needs WebKitGTK and libxdo (Debian 13: libwebkit2gtk-4.1-0 libxdo3).");
		console.note("Opening the browser instead.");
		await openOutside(await newLink());
		return undefined;
	}
}

/** The window's process must not get the app's tokens and settings. */
function withoutOurs(env: ShowWindowContext["env"]): ShowWindowContext["env"] {
	return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("XWORKMATE_")));
}
