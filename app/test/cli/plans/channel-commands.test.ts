import { type Channel, ChannelId, type Contact, ContactId, type MethodParams, Timestamp } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { WrongUsage } from "../../../src/errors/wrong-usage.ts";
import { runAgainst } from "../../support/command-scene.ts";

const password = "a-password-of-the-mailbox";
const email: Channel = {
	channel: "email",
	ready: true,
	owner: "me@example.com",
	settings: { host: "smtp.example.com" },
	secrets: ["password"],
};

async function ran(args: readonly string[], more: Parameters<typeof runAgainst>[2] = {}) {
	const set: MethodParams<"xworkmate.channels.configure">[] = [];
	const setUpChannel = async (params: MethodParams<"xworkmate.channels.configure">) => {
		set.push(params);
		return email;
	};
	return { ...(await runAgainst({ setUpChannel }, args, more)), set };
}

it("asks for the password of a mailbox, stores it, and never shows it", async () => {
	const { set, lines, code } = await ran(["channels", "setup", "email", "--service", "Gmail", "--user", "me@gmail.com"], {
		secret: `${password}\n`,
	});
	expect(set).toEqual([{ channel: "email", settings: { service: "Gmail", user: "me@gmail.com" }, secrets: { password } }]);
	expect(code).toBe(0);
	expect(lines.join("\n")).not.toContain(password);
	expect(lines.at(-1)).toContain("channels test email");
});

it("takes the password from a variable, and leaves it as it is when only something else is set", async () => {
	const flags = ["--host", "smtp.example.com", "--port", "465", "--user", "me", "--password-env", "MAIL"];
	expect((await ran(["channels", "setup", "email", ...flags], { variables: { MAIL: password } })).set).toEqual([
		{ channel: "email", settings: { host: "smtp.example.com", port: 465, user: "me" }, secrets: { password } },
	]);
	expect((await ran(["channels", "setup", "email", ...flags])).error).toMatchObject({ code: "INVALID_INPUT" });
	expect((await ran(["channels", "setup", "email", "--owner", "me@example.com"])).set).toEqual([
		{ channel: "email", settings: { owner: "me@example.com" }, secrets: {} },
	]);
});

it("sets WhatsApp up with an access token that is asked for, and the webhook's secrets from variables", async () => {
	const flags = [
		"--phone-number-id",
		"106540352242922",
		"--owner",
		"+66812345678",
		"--app-secret-env",
		"APP",
		"--verify-token-env",
		"VERIFY",
	];
	const variables = { APP: "app-secret", VERIFY: "verify-token" };
	const { set, lines } = await ran(["channels", "setup", "whatsapp", ...flags], { secret: `${password}\n`, variables });
	const secrets = { accessToken: password, appSecret: "app-secret", verifyToken: "verify-token" };
	expect(set).toEqual([{ channel: "whatsapp", settings: { phoneNumberId: "106540352242922", owner: "+66812345678" }, secrets }]);
	for (const secret of Object.values(secrets)) expect(lines.join("\n")).not.toContain(secret);
});

it.each(["email", "whatsapp", "discord"])("stores nothing of %s if nothing is given, and says so", async (channel) => {
	const { set, lines, error } = await ran(["channels", "setup", channel]);
	expect(error).toMatchObject({ code: "INVALID_INPUT", message: "No setting was given, so nothing was stored." });
	expect([set, lines]).toEqual([[], []]);
});

it("asks for the owner instead of suggesting a test that could not be sent", async () => {
	const { owner: _, ...ownerless } = email;
	const { lines } = await runAgainst({ setUpChannel: async () => ownerless }, ["channels", "setup", "email", "--host", "127.0.0.1"]);
	expect(lines.slice(-2)).toEqual([
		expect.stringMatching(/^Your own address isn't set, .*channels setup email --owner ADDRESS$/),
		expect.stringMatching(/^To test with a contact instead: .*channels test email --to CONTACT$/),
	]);
});

it("sets up Discord by ids, and asks for no secret", async () => {
	const { set } = await ran(["channels", "setup", "discord", "--owner", "200", "--channel", "300"]);
	expect(set).toEqual([{ channel: "discord", settings: { owner: "200", channel: "300" }, secrets: {} }]);
	expect((await ran(["contacts", "add", "anna", "--name", "Anna"])).error).toMatchObject({ code: "INVALID_INPUT" });
});

it.each([["--user", "me", password], [`--password=${password}`], ["--pass", password]])(
	"refuses a password as an argument, and does not repeat it: %j",
	async (...args) => {
		const { set, said, error } = await ran(["channels", "setup", "email", ...args], { secret: password });
		expect(error).toMatchObject({ exitCode: 2 });
		expect(said + String(error)).not.toContain(password);
		expect(set).toEqual([]);
	},
);

it("says of each step of a test how it went, and what to do", async () => {
	const at = Timestamp.parse("2026-01-01T00:00:00.000Z");
	const problem = { code: "CHANNEL_AUTH", message: "The password was rejected.", fix: "Make an app password." };
	const testChannel = async () => ({
		channel: { ...email, tested: { at, ok: false, problem } },
		ok: false,
		steps: [
			{ step: "connect" as const, ok: true, message: "smtp.example.com answered." },
			{ step: "sign_in" as const, ok: false, message: "The password was rejected." },
		],
		tookMs: 400,
	});
	const { lines, code } = await runAgainst({ testChannel }, ["channels", "test", "email"]);
	expect(lines).toEqual([
		"ok      Connect: smtp.example.com answered.",
		"FAILED  Sign in: The password was rejected.",
		"  Make an app password. (CHANNEL_AUTH)",
	]);
	expect(code).toBe(1);
});

it("doesn't call a test failed whose message may have arrived", async () => {
	const at = Timestamp.parse("2026-01-01T00:00:00.000Z");
	const problem = { code: "NO_ANSWER", message: "No answer.", fix: "Check whether the test message has arrived." };
	const channel = { ...email, tested: { at, ok: false, problem } };
	const steps = [
		{ step: "connect" as const, ok: true, message: "smtp.example.com answered." },
		{ step: "send" as const, ok: false, message: "It may have received the whole message." },
	];
	const testChannel = async () => ({ channel, ok: false, steps, tookMs: 400 });
	const { lines, code } = await runAgainst({ testChannel }, ["channels", "test", "email"]);
	expect(lines).toEqual([
		"ok      Connect: smtp.example.com answered.",
		"UNKNOWN Send: It may have received the whole message.",
		"  Check whether the test message has arrived. (NO_ANSWER)",
	]);
	expect(code).toBe(1);
	const listed = (await runAgainst({ channels: async () => ({ channels: [channel] }) }, ["channels", "list"])).lines.join("\n");
	expect(listed).toContain("it is unknown whether the last test message arrived, ");
	expect(listed).not.toContain("FAILED");
});

it.each([
	["email", undefined, "email  set up, no current test  your address: me@example.com"],
	["email", { ok: true }, "email  ready  your address: me@example.com"],
	["email", { ok: false, code: "CHANNEL_AUTH" }, "email  set up, test failed  your address: me@example.com"],
	["email", { ok: false, code: "NO_ANSWER" }, "email  set up, test result unknown  your address: me@example.com"],
	["dashboard", undefined, "dashboard  ready"],
] as const)("calls %s ready only if a test message was sent or none is needed: %j", async (channel, last, first) => {
	const problem = last !== undefined && "code" in last && { problem: { code: last.code, message: "No.", fix: "Do." } };
	const tested = last && { at: Timestamp.parse("2026-01-01T00:00:00.000Z"), ok: last.ok, ...problem };
	const listed: Channel = { ...email, channel, ...(tested && { tested }) };
	const api = { channels: async () => ({ channels: [listed] }), setUpChannel: async () => listed };
	expect((await runAgainst(api, ["channels", "list"])).lines[0]).toBe(first);
	if (channel === "email")
		expect((await runAgainst(api, ["channels", "setup", "email", "--owner", "me@example.com"])).lines[1]).toBe(first);
});

it("says that a message was sent only where a test sends one", async () => {
	const testing =
		(...steps: readonly ("settings" | "accepted")[]) =>
		async () => ({
			channel: email,
			ok: true,
			steps: steps.map((step) => ({ step, ok: true, message: "Fine." })),
			tookMs: 1,
		});
	expect((await runAgainst({ testChannel: testing("settings") }, ["channels", "test", "dashboard"])).lines).toHaveLength(1);
	const { lines } = await runAgainst({ testChannel: testing("settings", "accepted") }, ["channels", "test", "email"]);
	expect(lines.at(-1)).toBe("A message was sent in less than 1 s. Check whether it arrived.");
});

it("says after a removal what stays", async () => {
	const removeChannel = async () => email;
	const removing = async (channel: string, stored: Partial<Channel> = {}) => {
		const channels = async () => ({ channels: [{ ...email, channel: ChannelId.parse(channel), ...stored }] });
		return await runAgainst({ channels, removeChannel }, ["channels", "remove", channel, "--yes"]);
	};
	const said = async (...given: Parameters<typeof removing>) => (await removing(...given)).lines.join("\n");
	expect(await said("email")).toBe("Removed the settings and secrets for Email.");
	expect(await said("discord")).toContain("bot's token is set separately, and was not removed");
	const unavailable = (code: string) => ({ ready: false, settings: {}, secrets: [], unavailable: { code, message: "No.", fix: "Do." } });
	expect(await said("email", unavailable("CHANNEL_NOT_SET_UP"))).toBe("No settings for Email were stored, so nothing was removed.");
	expect(await said("email", unavailable("CHANNEL_SETTINGS_INVALID"))).toBe("Removed the settings and secrets for Email.");
	expect(await removing("dashboard")).toMatchObject({
		lines: [],
		said: expect.stringContaining("Allowed choices are whatsapp, email, discord."),
	});
});

it("adds a contact, and shows a message of the inbox, which is read from then on", async () => {
	const done: unknown[] = [];
	const { lines } = await runAgainst({ contacts: async () => ({ contacts: [] }), putContact: async (contact) => contact }, [
		"contacts",
		"add",
		"anna",
		"--name",
		"Anna",
		"--email",
		"anna@example.com",
	]);
	expect(lines).toEqual(["anna  Anna  Email anna@example.com"]);
	const message = {
		...{ messageId: "beaches-1-1", at: Timestamp.parse("2026-01-01T00:00:00.000Z"), title: "Beaches", text: "Sanur.\u001b[2J" },
		...{ planId: "beaches", occurrenceId: "beaches-1", read: false },
	};
	const api = {
		inbox: async () => ({ items: [message], unread: 1 }),
		markInbox: async (params: unknown) => {
			done.push(params);
			return { unread: 0 };
		},
	};
	const shown = await runAgainst(api, ["inbox", "show", "beaches-1-1"]);
	expect(shown.lines.at(-1)).toBe("Sanur.");
	expect(shown.lines[0]).toMatch(/^beaches-1-1 {2}due .* {2}unread {2}Beaches$/);
	expect(done).toEqual([{ messageIds: ["beaches-1-1"], read: true }]);
});

it("says of a contact that was there what adding it again replaced and removed", async () => {
	const anna = { contactId: ContactId.parse("anna"), name: "Anna B", addresses: { email: "anna@example.com", whatsapp: "+66812345678" } };
	const api = { contacts: async () => ({ contacts: [anna] }), putContact: async (contact: Contact) => contact };
	const add = async (...flags: readonly string[]) => (await runAgainst(api, ["contacts", "add", "anna", ...flags])).lines;
	expect(await add("--name", "Anna", "--whatsapp", "+66899999999")).toEqual([
		"anna  Anna  WhatsApp +66899999999",
		"  Before: Anna B, Email anna@example.com (removed), WhatsApp +66812345678 (replaced)",
	]);
	expect(await add("--name", "Anna B", "--email", "anna@example.com", "--whatsapp", "+66812345678")).toHaveLength(1);
});

it("refuses as wrong usage what can't be an email address, before anything is asked or stored", async () => {
	for (const [flag, address] of [
		["--from", "nonsense"],
		["--owner", "me@"],
		["--from", "me@host"],
	] as const) {
		const { set, error } = await ran(["channels", "setup", "email", "--user", "me", flag, address]);
		expect(error).toBeInstanceOf(WrongUsage);
		expect(error).toMatchObject({ message: `${flag} must be an email address of the form name@example.org, so nothing was stored.` });
		expect(set).toEqual([]);
	}
	const { error } = await runAgainst({}, ["contacts", "add", "anna", "--name", "Anna", "--email", "anna"]);
	expect(error).toBeInstanceOf(WrongUsage);
	const ours = ["--from", " me@exämple。org ", "--owner", "me@example.org"];
	expect((await ran(["channels", "setup", "email", ...ours])).set).toHaveLength(1);
	expect((await ran(["channels", "setup", "discord", "--owner", "200"])).set).toHaveLength(1);
});
