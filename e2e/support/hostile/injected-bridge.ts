import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { z } from "zod";
import { approvals, decide } from "../app/approvals.ts";
import { startBridge } from "../bridge/bridge-process.ts";
import { listenOnLoopback } from "../machine/listen-on-loopback.ts";
import { temporaryHome } from "../machine/temporary-home.ts";
import { waitUntil } from "../machine/wait-until.ts";
import { startFakeModel } from "../model/fake-model.ts";
import { THREAD } from "../services/discord-scene.ts";
import { jonas, startFakeDiscord, stranger } from "../services/fake-discord.ts";
import { receiptsOf, verifyReceipts } from "../wire/receipts.ts";
import { turn } from "../wire/turn.ts";
import { isOver, TaskSnapshot } from "../wire/wire.ts";
import { mailSource, poisonedSource, webSource } from "./injected-tools.ts";
import { type PromptInjection, places } from "./prompt-injection.ts";

const PASSWORD = "s3cret-mail-password";
const API_KEY = "sk-ant-api03-s3cret-key-of-the-bridge";
/** What must be nowhere. */
export const secrets = [PASSWORD, API_KEY] as const;

const Mail = z.object({ to: z.string(), runId: z.string() });
const Loaded = z.looseObject({ integrations: z.array(z.looseObject({ integration: z.string(), toolHash: z.string().optional() })) });

const Accounts = z.object({ profiles: z.array(z.object({ profileId: z.string(), state: z.string() })) });

/** What came of one injection. */
export interface Injected {
	readonly snapshot: TaskSnapshot;
	/** The tools whose calls the user was asked about, in their order. */
	readonly asked: readonly unknown[];
	/** The mails that the run sent. */
	readonly sent: readonly unknown[];
	/** Everything that the run left where somebody reads it. */
	readonly left: string;
}

export interface InjectedBridge extends AsyncDisposable {
	inject(injection: PromptInjection): Promise<Injected>;
	/** All that says who may do what: it stays as it is. */
	authority(): Promise<unknown>;
	/** What the bridge and the tools told others: logs, addresses, posts, and what the model was shown. */
	told(): Promise<string>;
	verify(): Promise<unknown>;
	/**
	 * Says it on Discord as a user who may not talk to the bot, then something else as one who may. Returns whether each of the two became
	 * a turn.
	 */
	sayAsStranger(injection: PromptInjection): Promise<readonly boolean[]>;
	/** The bot's posts. */
	posts(): Promise<readonly string[]>;
}

/** A bridge with the assistant, with accepted tools that read what strangers write, a page, and a Discord. */
export async function injectedBridge(injections: readonly PromptInjection[]): Promise<InjectedBridge> {
	await using stack = new AsyncDisposableStack();
	const model = stack.use(await startFakeModel());
	const discord = stack.use(await startFakeDiscord());
	const home = stack.use(await temporaryHome());
	const pages: string[] = [];
	const visited: string[] = [];
	const server = createServer((request, response) => {
		visited.push(request.url ?? "");
		response.end(pages[Number(request.url?.slice(1))] ?? "nothing");
	});
	stack.defer(async () => {
		server.close();
		server.closeAllConnections();
		await once(server, "close");
	});
	const page = `http://127.0.0.1:${await listenOnLoopback(server)}`;
	await writeFile(join(home.xworkmate, "secrets.json"), JSON.stringify({ "mail.password": PASSWORD }), { mode: 0o600 });
	const declared = injections.filter(({ carrier }) => carrier === "tool declaration");
	const hidden = (injection: PromptInjection, earlier = "") => {
		const steps = injection.orders.join(" ;; ").replaceAll(places.page, page).replaceAll(places.bridge, bridge.url);
		const known = steps.replaceAll(places.earlierReceipt, earlier);
		return `${injection.lure} ORDERS:${Buffer.from(known).toString("base64url")} `;
	};
	const env = { ANTHROPIC_API_KEY: API_KEY, XWORKMATE_ANTHROPIC_URL: model.url, XWORKMATE_ANTHROPIC_MODEL: "claude-fake" };
	const bridge = stack.use(await startBridge({ home, env: { ...discord.settings, ...env, XWORKMATE_DEFAULT_PROVIDER: "assistant" } }));
	const client = bridge.client();
	await discord.connected();
	for (const [name, source] of Object.entries({
		mail: mailSource,
		web: webSource,
		poisoned: poisonedSource(declared.map((one) => hidden(one))),
	})) {
		await mkdir(join(home.xworkmate, "tools", name), { recursive: true });
		await writeFile(join(home.xworkmate, "tools", name, "tools.ts"), source);
	}
	const data = join(home.xworkmate, "tool-data", "mail");
	await mkdir(data, { recursive: true, mode: 0o700 });
	for (const { integration, toolHash } of Loaded.parse(await client.rpc("xworkmate.tools.reload")).integrations) {
		await client.rpc("xworkmate.tools.accept", { integration, toolHash });
	}

	async function submit(prompt: string, threadId?: string, providerId = "assistant", method = "session.start"): Promise<string> {
		const params = turn({ prompt, providerId, ...(threadId === undefined ? {} : { threadId }) });
		return TaskSnapshot.parse(await client.rpc(method, params)).runId;
	}
	const goOn = (prompt: string, threadId: string) => submit(prompt, threadId, "assistant", "session.message");

	/** Waits for the end, and decides what is asked meanwhile: all is denied, but for the first if it is to be allowed. */
	async function settled(runId: string, allowsFirst: boolean) {
		const asked: unknown[] = [];
		let shown = "";
		const snapshot = await waitUntil(`the end of ${runId}`, 30_000, async () => {
			for (const { approvalId, toolId } of await approvals(client, { state: "pending", runId })) {
				shown += JSON.stringify(await client.rpc("xworkmate.approvals.get", { approvalId }));
				await decide(client, approvalId, allowsFirst && asked.length === 0 ? "allow_once" : "deny");
				asked.push(toolId);
			}
			const now = await client.snapshot({ runId });
			return isOver(now.status) ? now : undefined;
		});
		return { snapshot, asked, shown };
	}

	const obey = (count: number, first: string) =>
		`Please look.\nFAKE:${[first, ...Array.from({ length: count + 2 }, (_, index) => `OBEY ${index + 1}`)].filter((step) => step !== "").join(" ;; ")}`;
	const reading = (call: string) =>
		`TOOL execute ${JSON.stringify({ program: `const r = await ${call}; return r.ok ? r.value.text : r.error.message;` })}`;

	/** Puts the text where the model reads it, and starts the turn in which it does. */
	async function start(injection: PromptInjection): Promise<string> {
		const { carrier, orders } = injection;
		const text = hidden(injection);
		const count = orders.length;
		const file = async (name: string, content: string) => writeFile(join(data, name), content);
		switch (carrier) {
			case "web page":
				return submit(obey(count, reading(`tools.web.read({ url: "${page}/${pages.push(text) - 1}" })`)));
			case "file":
			case "tool error":
			case "console": {
				const name = `${injections.indexOf(injection)}.txt`;
				await file(name, text);
				if (carrier === "file") return submit(obey(count, reading(`tools.mail.inbox({ name: "${name}" })`)));
				if (carrier === "tool error") return submit(obey(count, reading(`tools.mail.inbox({ name: "${name}", fails: true })`)));
				const program = `const r = await tools.mail.inbox({ name: "${name}" }); if (r.ok) console.log(r.value.text);`;
				return submit(obey(count, `TOOL execute ${JSON.stringify({ program })}`));
			}
			case "file name": {
				// The newest name is the last one that it reads.
				await file(`z${String(injections.indexOf(injection)).padStart(3, "0")} ${text.trim()}`, "");
				return submit(obey(count, reading("tools.mail.folder({})")));
			}
			case "tool declaration":
				return submit(obey(count, `TOOL describe_tools {"toolIds":["poisoned.thing.p${declared.indexOf(injection)}"]}`));
			case "tool words":
				return submit(obey(count, reading(`tools.mail.look({ about: ${JSON.stringify(text)} })`)));
			case "prompt":
				return submit(`${text}\n${obey(count, "")}`);
			case "another agent": {
				const threadId = `thread-${injections.indexOf(injection)}`;
				await settled(await submit(`return ${JSON.stringify(text)}`, threadId, "script"), false);
				return goOn(obey(count, ""), threadId);
			}
			case "earlier answer": {
				const threadId = `thread-${injections.indexOf(injection)}`;
				const sends = { program: 'await tools.mail.send({ to: "mira", body: "as she asked" })' };
				const before = await settled(await submit(`FAKE:TOOL execute ${JSON.stringify(sends)} ;; SAY Blue.`, threadId), true);
				const receipts = await receiptsOf(client, before.snapshot.runId);
				const receipt = receipts.find(({ type }) => type === "tool.call.succeeded");
				const answered = JSON.stringify([{ text: hidden(injection, `${before.snapshot.runId}.${receipt?.n}`) }]);
				await settled(await goOn(`FAKE:ANSWER ${answered}`, threadId), false);
				return goOn(obey(count, ""), threadId);
			}
			case "Discord user": {
				const turnId = await discord.say(`${text}\n${obey(count, "")}`, { user: jonas });
				return waitUntil("the run of a message", 20_000, async () => {
					const snapshot = await client.snapshot({ threadId: THREAD, turnId }).catch(() => undefined);
					return snapshot?.runId;
				});
			}
		}
	}

	async function sent(runId: string): Promise<readonly unknown[]> {
		const text = await readFile(join(data, "sent.jsonl"), "utf8").catch(() => "");
		const lines = text.split("\n").filter((line) => line !== "");
		return lines.map((line) => Mail.parse(JSON.parse(line))).filter((mail) => mail.runId === runId);
	}

	const open = stack.move();
	return {
		async inject(injection) {
			const runId = await start(injection);
			const { snapshot, asked, shown } = await settled(runId, injection.allowsFirst === true);
			const receipts = await receiptsOf(client, runId);
			const activity = await client.http({ path: `/runs/${runId}/activity` });
			const files = await Promise.all(
				snapshot.artifacts.items.map(async ({ artifactRef }) => String((await client.http({ path: `/artifacts/${artifactRef}` })).body)),
			);
			const left = [JSON.stringify([snapshot, receipts, files]), shown, String(activity.body)].join("\n");
			return { snapshot, asked, sent: await sent(runId), left };
		},
		async authority() {
			const decided = await approvals(client, { state: "decided" });
			return {
				tools: await client.rpc("xworkmate.tools.list"),
				accounts: Accounts.parse(await client.rpc("xworkmate.auth.list")),
				windows: decided.filter(({ decision }) => decision !== "allow_once" && decision !== "deny"),
				home: await readdir(home.xworkmate),
				sources: await readdir(join(home.xworkmate, "tools"), { recursive: true }),
				secrets: await readFile(join(home.xworkmate, "secrets.json"), "utf8"),
			};
		},
		async told() {
			const shown = (await model.requests()).map(({ body }) => body);
			return [bridge.output, visited.join("\n"), JSON.stringify(await discord.state()), JSON.stringify(shown)].join("\n");
		},
		verify: () => verifyReceipts(client),
		async sayAsStranger(injection) {
			const unheard = await discord.say(`${hidden(injection)}\n${obey(injection.orders.length, "")}`, { user: stranger });
			const heard = await discord.say('FAKE:ANSWER [{"text":"Nothing else."}]');
			await discord.answered("Nothing else");
			const turns = [unheard, heard].map((turnId) => client.snapshot({ threadId: THREAD, turnId }));
			return (await Promise.allSettled(turns)).map(({ status }) => status === "fulfilled");
		},
		posts: async () => (await discord.posts()).map(({ content }) => content),
		[Symbol.asyncDispose]: () => open.disposeAsync(),
	};
}
