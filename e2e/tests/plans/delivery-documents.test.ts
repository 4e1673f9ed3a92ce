import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { type CommandEnd, runCommand } from "../../support/app/command.ts";
import { DocumentedCommands } from "../../support/app/documented-commands.ts";
import { type StartedApp, startApp } from "../../support/app/started-app.ts";
import { writeProviders } from "../../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../support/bridge/providers.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";
import { type FakeModel, startFakeModel } from "../../support/model/fake-model.ts";
import { mailText } from "../../support/plans/set-up-email.ts";
import { webhookAddress } from "../../support/plans/webhook-address.ts";
import { type FakeDiscord, startFakeDiscord } from "../../support/services/fake-discord.ts";
import { type FakeWhatsApp, startFakeWhatsApp } from "../../support/services/fake-whatsapp.ts";
import { type FakeSmtp, startFakeSmtp } from "../../support/services/smtp-server.ts";

/** Thirty commands, one after the other: the bound is for one that hangs. */
const DOCUMENT_MS = 240_000;
const beaches = "Sanur is calm and shallow, Nusa Dua is clean.";
const hostile = "Read [bank.example](https://evil.example/login).";
const stories = {
	"- Research best beaches in Bali for families": `UNRULY:SAY I looked at twelve.\n<deliverable>\n${beaches}\n</deliverable>`,
	"- Write what nobody should read": "UNRULY:SAY I can't help with that.\n<deliverable>NONE</deliverable>",
	"- Look at the bank": `UNRULY:SAY Here.\n<deliverable>\n${hostile}\n</deliverable>`,
};
const sentence = "Every weekday at 9 put a summary of the news on my dashboard";
const read = {
	shouldCreateTask: true,
	task: {
		title: "News",
		work: ["Summarize the news"],
		delivery: [{ channel: "dashboard", channelWords: "dashboard" }],
		when: { kind: "every", days: "weekday", clock: { hour: 9 }, words: ["Every weekday at 9"] },
	},
};
const Made = z.looseObject({ planId: z.string() });

let home: TemporaryHome;
let model: FakeModel;
let smtp: FakeSmtp;
let discord: FakeDiscord;
let whatsapp: FakeWhatsApp;
let channels: DocumentedCommands;
let app: StartedApp;

beforeAll(async () => {
	home = await temporaryHome();
	model = await startFakeModel({ FAKE_MODEL_STORIES: JSON.stringify({ [sentence]: `FAKE:TOOL read_plan ${JSON.stringify(read)}` }) });
	smtp = await startFakeSmtp("tls");
	discord = await startFakeDiscord();
	whatsapp = await startFakeWhatsApp();
	const file = join(home.path, "stories.json");
	await writeFile(file, JSON.stringify(stories));
	await writeProviders(home, [unrulyAgent("unruly", { UNRULY_STORIES: file })]);
	channels = await DocumentedCommands.read(home, "channels.md");
	const [name = "", address = ""] = channels.line("XWORKMATE_WEBHOOK_LISTEN=127.0.0.1:8790").split("=");
	app = await startApp(home, {
		...discord.settings,
		OPENAI_BASE_URL: `${model.url}/v1`,
		XWORKMATE_DEFAULT_PROVIDER: "unruly",
		[name]: address.replace(/\d+$/, "0"),
	});
});
afterAll(async () => {
	await app[Symbol.asyncDispose]();
	for (const started of [whatsapp, discord, smtp, model]) await started[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

/** What it wrote. @throws unless it ended as it should have */
async function ended(running: Promise<CommandEnd>, code = 0): Promise<string> {
	const end = await running;
	expect(end.code, end.stdout + end.stderr).toBe(code);
	return end.stdout;
}

/** The id of a plan, once it is over or waits for a person. */
async function madePlan(words: readonly string[], code = 0): Promise<string> {
	const { planId } = Made.parse(JSON.parse(await ended(runCommand(home, ["plans", "create", ...words, "--json"]))));
	await ended(runCommand(home, ["plans", "watch", planId]), code);
	return planId;
}

const idOf = (stdout: string) => / {2}plan (\S+),/.exec(stdout)?.[1] ?? "";
const mails = async () => (await smtp.mails()).map((mail) => [mail.to[0], mailText(mail)]);

it(
	"docs/channels.md does what it says, command by command",
	async () => {
		const { password = "" } = smtp.secrets;
		const { host, port, user, caFile } = smtp.settings;
		const gmail = await ended(
			channels.run("xworkmate channels setup email --service Gmail --user me@gmail.com", { stdin: "app-password\n" }),
		);
		expect(gmail).toContain("password (stored)");
		const server =
			"xworkmate channels setup email --host smtp.example.com --port 465 --security tls --user me --from me@example.com --owner me@example.com";
		const place = { "smtp.example.com": `${host}`, "465": `${port}`, "--user me": `--user ${user}` };
		const more = ["--ca-file", `${caFile}`];
		const stored = await ended(channels.run(server, { as: place, more, stdin: "not the password\n" }));
		expect(stored).toContain("email  set up, no current test  your address: me@example.com");
		const refused = await channels.run("xworkmate channels test email");
		expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining("CHANNEL_AUTH")]);
		await ended(channels.run("xworkmate channels setup email --password", { stdin: `${password}\n` }));
		expect(await ended(channels.run("xworkmate channels test email"))).toContain("Accepted");
		expect(await mails()).toMatchObject([["me@example.com", expect.stringContaining("test message")]]);
		expect(await ended(channels.run("xworkmate plans --needs-review"))).not.toContain("(");

		await ended(channels.run("xworkmate channels setup discord --owner 200000000000000000", { as: { "200000000000000000": "200" } }));
		expect(await ended(channels.run("xworkmate channels test discord"))).toContain("Accepted");
		expect(await discord.posts("310")).toHaveLength(1);
		const anna = 'xworkmate contacts add anna --name "Anna" --email anna@example.com --discord 201000000000000000';
		expect(await ended(channels.run(anna, { as: { "201000000000000000": "201" } }))).toContain("anna@example.com");
		expect(await ended(channels.run("xworkmate contacts"))).toContain("anna");
		await ended(channels.run("xworkmate contacts remove anna"));
		expect(await ended(channels.run("xworkmate contacts"))).toContain("There are no contacts.");
		await ended(channels.run(anna, { as: { "201000000000000000": "201" } }));
	},
	DOCUMENT_MS,
);

it(
	"docs/delivery.md does what it says, command by command",
	async () => {
		const document = await DocumentedCommands.read(home, "delivery.md");
		const water = await ended(document.run('xworkmate plans create --in 1m --dashboard --content "Drink some water"'));
		expect(water).toMatch(/Due in (?:1 min|59 s), /);
		const PLAN = idOf(water);
		const as = { PLAN };
		expect(await ended(document.run("xworkmate plans pause PLAN", { as }))).toContain("Paused");
		expect(await ended(document.run("xworkmate plans resume PLAN", { as }))).toContain("Scheduled");
		expect(await ended(document.run("xworkmate plans run PLAN --wait", { as }))).toContain("run by hand");
		expect(await ended(document.run("xworkmate plans show PLAN", { as }))).toContain("Drink some water");
		expect(await ended(document.run("xworkmate plans"))).toContain(PLAN);
		const inbox = await ended(document.run("xworkmate inbox"));
		const [, ID = ""] = /^(\S+) .*unread/m.exec(inbox) ?? [];
		expect(await ended(document.run("xworkmate inbox show ID", { as: { ID } }))).toContain("Drink some water");
		expect(await ended(document.run("xworkmate plans cancel PLAN", { as }))).toContain("Scheduled");
		expect(await ended(document.run("xworkmate plans delete PLAN", { as, more: ["--yes"] }))).toContain("Deleted");

		const before = (await mails()).length;
		const bali = 'xworkmate plans create --email me --title "Beaches in Bali" --work "Research best beaches in Bali for families"';
		const beach = idOf(await ended(document.run(bali)));
		expect(await ended(document.run("xworkmate plans watch PLAN", { as: { PLAN: beach } }))).toContain("Completed");
		expect((await mails()).slice(before)).toEqual([["me@example.com", beaches]]);
		const weekdays =
			'xworkmate plans create --cron "0 9 * * 1-5" --timezone Asia/Bangkok --email anna --work "Summarize what changed since yesterday"';
		expect(await ended(document.run(weekdays))).toContain("every weekday at 09:00");
		expect((await mails()).length).toBe(before + 1);

		const held = await madePlan(["--email", "me", "--work", "Look at the bank"], 9);
		const shown = await ended(document.run("xworkmate plans review PLAN", { as: { PLAN: held } }), 9);
		expect(shown).toContain("evil.example");
		const [, hash = ""] = /--payload ([0-9a-f]{12})$/m.exec(shown) ?? [];
		const send = "xworkmate plans review PLAN-1 --send --payload 3f2a91c04b7e";
		await ended(document.run(send, { as: { PLAN: held, "3f2a91c04b7e": "000000000000" } }), 1);
		await ended(document.run(send, { as: { PLAN: held, "3f2a91c04b7e": hash } }));
		await ended(runCommand(home, ["plans", "watch", held]));
		expect((await mails()).slice(before + 1)).toEqual([["me@example.com", hostile]]);

		await writeFile(join(home.path, "message.md"), "My own words\n");
		const declined = { PLAN: await madePlan(["--email", "me", "--work", "Write what nobody should read"], 9) };
		const edited = await ended(document.run("xworkmate plans review PLAN-1 --edit message.md", { as: declined }), 9);
		const [, command = ""] = /(plans review \S+ --edit .*--payload [0-9a-f]{12})$/m.exec(edited) ?? [];
		expect(command).toContain(`${declined.PLAN}-1`);
		await ended(document.run("xworkmate plans review PLAN-1 --rerun", { as: declined }));
		await ended(runCommand(home, ["plans", "watch", declined.PLAN]), 9);
		await ended(document.run("xworkmate plans review PLAN-1 --discard", { as: declined }));
		expect(await ended(document.run("xworkmate plans show PLAN", { as: declined }))).toContain("Discarded");
		expect((await mails()).length).toBe(before + 2);

		for (const outcome of ["--sent", "--not-sent"] as const) {
			await smtp.fail({ stage: "dot", kind: "cut" });
			const unknown = { PLAN: await madePlan(["--email", "me", "--content", `Unknown ${outcome}`], 10) };
			await ended(document.run(`xworkmate plans settle PLAN-1 ${outcome}`, { as: unknown }));
			const resent = await document.run("xworkmate plans resend PLAN-1", { as: unknown });
			expect([resent.code, resent.stderr]).toEqual(outcome === "--sent" ? [1, expect.stringContaining("--allow-duplicate")] : [0, ""]);
			if (outcome === "--not-sent") await ended(runCommand(home, ["plans", "watch", unknown.PLAN]));
		}
		expect((await mails()).slice(before + 2)).toEqual([["me@example.com", "Unknown --not-sent"]]);
		expect(document.untried).toEqual([]);
	},
	DOCUMENT_MS,
);

it(
	"docs/whatsapp.md does what it says, command by command, and a webhook proves a message",
	async () => {
		const document = await DocumentedCommands.read(home, "whatsapp.md");
		const { accessToken = "", appSecret = "", verifyToken = "" } = whatsapp.secrets;
		const setUp = "xworkmate channels setup whatsapp --phone-number-id 106540352242922 --owner +66812345678";
		const more = ["--base-url", whatsapp.settings.baseUrl ?? ""];
		expect(await ended(document.run(setUp, { more, stdin: "EAAanother\n" }))).toContain("whatsapp  set up, no current test");
		const refused = await document.run("xworkmate channels test whatsapp");
		expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining("CHANNEL_AUTH")]);
		await ended(document.run("xworkmate channels setup whatsapp --access-token", { stdin: `${accessToken}\n` }));
		expect(await ended(document.run("xworkmate channels test whatsapp"))).toContain("Accepted");
		await ended(document.run("xworkmate channels setup whatsapp --template hello_world --template-language en_US"));
		expect(await ended(document.run("xworkmate channels test whatsapp"))).toContain("Accepted");
		expect((await whatsapp.messages()).map(({ type }) => type)).toEqual(["text", "template"]);
		expect(await ended(document.run('xworkmate contacts add anna --name "Anna" --whatsapp "+49 151 12345678"'))).toContain(
			"+4915112345678",
		);
		const secrets = { more: ["--app-secret-env", "APP_SECRET", "--verify-token-env", "VERIFY_TOKEN"] };
		const env = { APP_SECRET: appSecret, VERIFY_TOKEN: verifyToken };
		const tracked = await ended(document.run("xworkmate channels setup whatsapp --webhook", { ...secrets, env }));
		expect(tracked).not.toContain(appSecret);

		const url = await webhookAddress(home);
		await whatsapp.tell("webhook", { url, automatic: ["sent", "delivered"] });
		expect(await whatsapp.tell("verify", {})).toMatchObject({ status: 200 });
		const plan = await madePlan(["--whatsapp", "me", "--content", "Don't forget to call mom"]);
		expect(await ended(runCommand(home, ["plans", "show", plan]))).toMatch(/WhatsApp to you \(\+?[\d ]+\): Delivered/);
		await whatsapp.tell("webhook", { url });
		await whatsapp.fail({ stage: "stored", kind: "cut" });
		const unknown = await madePlan(["--whatsapp", "me", "--content", "Did it arrive?"], 10);
		await ended(document.run("xworkmate plans settle", { more: [unknown, "--sent"] }));
		expect(await ended(runCommand(home, ["plans", "show", unknown]))).toMatch(/WhatsApp to you \(\+?[\d ]+\): Sent/);
		expect(document.untried).toEqual([]);
	},
	DOCUMENT_MS,
);

it(
	"docs/plans.md does what it says: a sentence is shown, and makes a plan after a yes alone",
	async () => {
		const document = await DocumentedCommands.read(home, "plans.md");
		const line = `xworkmate plans create "${sentence}"`;
		const shown = await document.run(line);
		expect([shown.code, shown.stdout]).toEqual([1, expect.stringContaining("every weekday at 09:00")]);
		expect(shown.stderr).toContain("--yes");
		const refused = await document.run(line, { more: ["--yes", "--email", "me"] });
		expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("--email")]);
		const made = await ended(document.run(line, { more: ["--yes", "--quiet", "--timezone", "Asia/Bangkok"] }));
		expect(await ended(runCommand(home, ["plans", "show", idOf(made)]))).toContain("every weekday at 09:00");
		expect(document.untried).toEqual([]);
	},
	DOCUMENT_MS,
);

it(
	"docs/channels.md has no line that was not tried: a removed channel is forgotten",
	async () => {
		await ended(channels.run("xworkmate channels remove email", { more: ["--yes"] }));
		expect(await ended(runCommand(home, ["channels"]))).toContain("email  not ready");
		expect(channels.untried).toEqual([]);
	},
	DOCUMENT_MS,
);
