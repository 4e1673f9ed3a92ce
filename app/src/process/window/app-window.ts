import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type WindowOrder, WindowWord } from "./window-words.ts";

const main = fileURLToPath(new URL("./window-main.ts", import.meta.url));
/** The first start of a web view can take a long time on a slow disk. If nothing is shown after this time, the web view counts as missing. */
const OPEN_MS = 20_000;
const END_MS = 2_000;
/** How many characters of the process's standard error are kept, from its end; the rest is read and dropped. */
const KEPT_WORDS = 4_000;

export interface AppWindowOptions extends WindowOrder {
	/** The environment of the window's process, which names the display. */
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Opens an address in the browser. */
	readonly openOutside: (url: string) => Promise<void>;
	/** Another program to run as the window, for tests. */
	readonly program?: string;
	readonly openMs?: number;
}

/** An open window. */
export interface AppWindow extends AsyncDisposable {
	/** Resolves when the window is closed, by the user or by its disposal, or with `false` if its process ended in any other way. */
	readonly closed: Promise<boolean>;
}

/** No native window is available on this machine. */
export class NoWindow extends Error {
	override readonly name = "NoWindow";
	readonly code = "NO_WINDOW";
}

/**
 * Opens a native window in a separate process.
 * @throws NoWindow, with the reason, if no window appears within 20 seconds
 */
export async function openAppWindow(options: AppWindowOptions): Promise<AppWindow> {
	const { link, dataDirectory, title, env, program = main, openMs = OPEN_MS } = options;
	await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
	// In a process group of its own, so that a Ctrl+C meant for the app doesn't end the window before the app closes it.
	const how = { env: { ...env }, stdio: "pipe", detached: true } as const;
	const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program], how);
	const ended = once(child, "exit").then(([code]): unknown => code);
	let isDisposed = false;
	const end = async () => {
		isDisposed = true;
		await endProcess(child, ended);
	};
	try {
		child.stdin.on("error", () => undefined);
		child.stdin.write(`${JSON.stringify({ link, dataDirectory, title } satisfies WindowOrder)}\n`);
		await opened(child, ended, options, openMs);
	} catch (error) {
		await end();
		throw error;
	}
	return { closed: ended.then((code) => isDisposed || code === 0), [Symbol.asyncDispose]: end };
}

async function opened(child: ChildProcess, ended: Promise<unknown>, { openOutside }: AppWindowOptions, openMs: number): Promise<void> {
	let words = "";
	child.stderr?.setEncoding("utf8").on("data", (said: string) => {
		words = (words + said).slice(-KEPT_WORDS);
	});
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	const fail = (why: string) => reject(new NoWindow(why));
	if (child.stdout !== null)
		createInterface({ input: child.stdout }).on("line", (line) => {
			const word = readWord(line);
			if (word?.type === "open") resolve();
			else if (word?.type === "none") fail(word.why);
			// A failure is ignored, because a machine without a browser can't show the address.
			else if (word?.type === "outside") void openOutside(word.url).catch(() => undefined);
		});
	child.once("error", (error) => fail(error.message));
	void ended.then((code) =>
		fail(
			words.trim().split("\n").at(-1) || `the window's process ${code === null ? "was ended by a signal" : `ended with exit code ${code}`}`,
		),
	);
	const timer = setTimeout(() => fail(`nothing was shown within ${openMs / 1000} s`), openMs);
	try {
		await promise;
	} finally {
		clearTimeout(timer);
	}
}

function readWord(line: string): WindowWord | undefined {
	try {
		return WindowWord.safeParse(JSON.parse(line)).data;
	} catch {
		// This line is debug output of a library.
		return undefined;
	}
}

async function endProcess(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
	child.stdin?.end();
	const over = await Promise.race([ended.then(() => true), delay(END_MS, false, { ref: false })]);
	if (!over) child.kill("SIGKILL");
}
