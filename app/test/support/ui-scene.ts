import { mkdirSync, writeFileSync } from "node:fs";
import { request as send } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { AppChange, AppState, ParkedLine } from "../../src/api/ui-api.ts";
import { CHANGES_ROUTE } from "../../src/api/ui-routes.ts";
import { settingDigests } from "../../src/config/setting-digests.ts";
import { windowParts } from "../../src/process/app/window-parts.ts";
import { type AppServer, createAppServer } from "../../src/server/create-app-server.ts";
import { CoreScene } from "./core-scene.ts";
import { fakeProcess } from "./fake-process.ts";

export const TOKEN = "the-token-of-the-command";

export interface Answer {
	readonly status: number;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly body: string;
}

/** The app as a browser meets it: core, server, built page, and a session. */
export class UiScene implements AsyncDisposable {
	readonly scene: CoreScene;
	readonly errors: unknown[] = [];
	now = () => Date.now();
	url = "";
	cookie = "";
	#server: AppServer | undefined;

	private constructor(scene: CoreScene) {
		this.scene = scene;
	}

	static async open(bounds: Parameters<typeof CoreScene.open>[0] = {}): Promise<UiScene> {
		const ui = new UiScene(await CoreScene.open({ bridgeAskMs: 40, ...bounds }));
		mkdirSync(join(ui.assets, "assets"), { recursive: true });
		writeFileSync(join(ui.assets, "index.html"), "<!doctype html><title>the page</title>");
		writeFileSync(join(ui.assets, "assets", "page.js"), "export {};");
		await ui.serve();
		ui.scene.app.resume();
		return ui;
	}

	get assets(): string {
		return join(this.scene.home, "built page");
	}

	get port(): string {
		return new URL(this.url).port;
	}

	/** Serves the core as it is now, at a new port. */
	async serve(): Promise<void> {
		await this.#server?.app.close();
		const startedWith = settingDigests({ XWORKMATE_KEEP_MS: "1" }, TOKEN);
		const ui = windowParts(this.scene.app, this.assets, startedWith, () => this.now());
		const onError = (error: unknown) => void this.errors.push(error);
		this.#server = createAppServer({ api: this.scene.api, token: TOKEN, onError, process: fakeProcess, ui });
		this.url = await this.#server.app.listen({ host: "127.0.0.1", port: 0 });
	}

	/** A request with these headers and no others of its own. */
	request(method: string, path: string, headers: Record<string, string> = {}, body?: string): Promise<Answer> {
		const { promise, resolve, reject } = Promise.withResolvers<Answer>();
		const request = send(this.url, { method, path, headers }, async (response) => {
			const { statusCode: status = 0, headers: given } = response;
			text(response).then((read) => resolve({ status, headers: given, body: read }), reject);
		});
		request.on("error", reject).end(body);
		return promise;
	}

	async mintKey(): Promise<string> {
		const authorization = `Bearer ${TOKEN}`;
		const { body } = await this.request("POST", "/api/openKey", { authorization, "content-type": "application/json" }, "{}");
		return JSON.parse(body).result.path;
	}

	/** Opens a link as a browser does; the session is kept. */
	async signIn(): Promise<void> {
		const { headers } = await this.request("GET", await this.mintKey());
		this.cookie = String(headers["set-cookie"]).split(";")[0] ?? "";
	}

	/** A call as the page makes it. */
	async call<T = unknown>(
		name: string,
		params: object = {},
		headers: Record<string, string> = {},
	): Promise<{ status: number; result: T; error?: { code: string } }> {
		const all = { cookie: this.cookie, origin: this.url, "content-type": "application/json", ...headers };
		const { status, body } = await this.request("POST", `/api/${name}`, all, JSON.stringify(params));
		return { status, ...JSON.parse(body) };
	}

	get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
		return this.request("GET", path, { cookie: this.cookie, ...headers });
	}

	/** A page that follows the state. */
	async page(): Promise<Page> {
		const response = await fetch(this.url + CHANGES_ROUTE, { headers: { cookie: this.cookie } });
		if (response.body === null || !response.ok) throw new Error(`the changes were refused: ${response.status}`);
		return new Page(response.body);
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#server?.app.close();
		await this.scene[Symbol.asyncDispose]();
	}
}

/** Applies changes to a state as a window does. */
export class Page implements AsyncDisposable {
	readonly seen: AppChange[] = [];
	/** Settles with the end of the stream, true when another page took its place. */
	readonly parked: Promise<boolean>;
	readonly #reader: ReadableStreamDefaultReader<string>;

	constructor(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
		this.#reader = body.pipeThrough(new TextDecoderStream()).getReader();
		this.parked = this.#read();
	}

	get state(): AppState {
		const at = this.seen.findLastIndex((change) => change.type === "state");
		const first = this.seen[at];
		if (first?.type !== "state") throw new Error("no state came");
		return this.seen.slice(at + 1).reduce(applyChange, first.state);
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#reader.cancel();
		await this.parked;
	}

	async #read(): Promise<boolean> {
		let rest = "";
		let parked = false;
		for (let next = await this.#reader.read(); !next.done; next = await this.#reader.read()) {
			const lines = (rest + next.value).split("\n");
			rest = lines.pop() ?? "";
			for (const line of lines.map((text): AppChange | ParkedLine => JSON.parse(text))) {
				if (line.type === "parked") parked = true;
				else this.seen.push(line);
			}
		}
		return parked;
	}
}

/** A window's state after one line. */
export function applyChange(state: AppState, change: AppChange): AppState {
	switch (change.type) {
		case "state":
			return change.state;
		case "thread": {
			const others = state.threads.filter((thread) => thread.threadId !== change.thread.threadId);
			return { ...state, threads: [change.thread, ...others].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt)) };
		}
		case "thread_deleted":
			return { ...state, threads: state.threads.filter((thread) => thread.threadId !== change.threadId) };
		case "approval": {
			const others = state.approvals.filter((approval) => approval.approvalId !== change.approval.approvalId);
			return { ...state, approvals: change.approval.state === "pending" ? [...others, change.approval] : others };
		}
		case "grants":
			return { ...state, grants: change.grants };
		case "gatewayQueue":
			return { ...state, gatewayQueue: change.gatewayQueue };
		case "plans":
			return { ...state, plans: change.plans };
		case "newDraft": {
			const { newDraft: _before, ...others } = state;
			return { ...others, ...(change.draft && { newDraft: change.draft }) };
		}
		case "bridge":
			return { ...state, bridge: change.bridge };
		case "files":
		case "plan":
		case "tools":
		case "agents":
		case "alive":
			return state;
	}
}
