import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MailScene } from "./mail-scene.ts";

const without = <T extends object>(all: T, name: string) => Object.fromEntries(Object.entries(all).filter(([key]) => key !== name));

describe("a mail server that cannot be trusted", () => {
	it.for(["tls", "starttls"] as const)("gets no password and no message if its certificate does not verify (%s)", async (security) => {
		await using scene = await MailScene.open(security);
		scene.stored.settings = without(scene.stored.settings, "caFile");
		const outcome = await scene.send();
		expect(outcome).toMatchObject({ kind: "held", code: "CHANNEL_UNAVAILABLE", handedOver: 0, fix: expect.stringContaining("--ca-file") });
		expect((await scene.smtp.journal()).map(({ event }) => event)).not.toContain("auth");
		const { ok, steps, problem } = await scene.channel.test("jonas@example.org", new AbortController().signal);
		expect([ok, steps.at(-1)?.step, problem?.code]).toEqual([false, "encrypt", "CHANNEL_UNAVAILABLE"]);
	});

	it("gets nothing if its certificate is another's", async () => {
		await using scene = await MailScene.open("tls");
		scene.set({ host: "localhost" });
		expect(await scene.send()).toMatchObject({ kind: "held", code: "CHANNEL_UNAVAILABLE", handedOver: 0 });
	});

	it.for(["tls", "starttls"] as const)("gets nothing if it does not encrypt (%s)", async (security) => {
		await using scene = await MailScene.open("none");
		scene.set({ security, user: "mira@mail.example" });
		scene.stored.secrets = { password: "fake-mail-password" };
		const outcome = await scene.send();
		expect(outcome).toMatchObject({ kind: "held", code: "CHANNEL_UNAVAILABLE", handedOver: 0, fix: expect.stringContaining("security") });
		expect((await scene.smtp.journal()).map(({ event }) => event)).not.toContain("mail");
	});

	it("is not sent a password in the clear, whatever is set", async () => {
		await using scene = await MailScene.open("starttls");
		scene.set({ security: "none" });
		expect(await scene.channel.availability()).toMatchObject({ code: "CHANNEL_INSECURE" });
		expect(await scene.smtp.journal()).toEqual([]);
	});

	it("is used without TLS if there is no password", async () => {
		await using scene = await MailScene.open("none");
		expect(await scene.send()).toMatchObject({ kind: "accepted", handedOver: 1 });
	});

	it("is not used with certificates that are not there, or are none", async () => {
		await using scene = await MailScene.open("tls");
		const folder = await mkdtemp(join(tmpdir(), "authority-"));
		try {
			const caFile = join(folder, "authority.pem");
			scene.set({ caFile });
			expect(await scene.channel.availability()).toMatchObject({
				code: "CHANNEL_AUTHORITY_UNREADABLE",
				message: expect.stringContaining("ENOENT"),
			});
			writeFileSync(caFile, "no certificate");
			await expect(scene.send()).rejects.toThrow(/can't be used/);
		} finally {
			await rm(folder, { recursive: true });
		}
	});
});

describe("a secret", () => {
	it.for(["wrong-password-of-mira", "short"])("is in no outcome, even if the server repeats it (%s)", async (password) => {
		await using scene = await MailScene.open();
		scene.stored.secrets = { password };
		const plain = Buffer.from(`\0mira@mail.example\0${password}`).toString("base64");
		const rejected = await scene.send();
		expect(rejected).toMatchObject({ kind: "held", code: "CHANNEL_AUTH", handedOver: 0 });
		await scene.smtp.fail({ stage: "auth", kind: "answer", code: 454, text: `you said ${password} ${plain}` });
		const repeated = await scene.send();
		expect(repeated.kind).toBe("passing");
		const tested = await scene.channel.test("jonas@example.org", new AbortController().signal);
		const view = await scene.channel.view();
		const shown = JSON.stringify([rejected, repeated, tested, view]);
		expect(shown).not.toContain(password);
		expect(shown).not.toContain(plain);
	});

	it("is hidden in what a server says of a message", async () => {
		await using scene = await MailScene.open();
		const plain = Buffer.from("\0mira@mail.example\0fake-mail-password").toString("base64");
		await scene.smtp.fail({
			stage: "dot",
			kind: "answer",
			code: 554,
			text: `your password is fake-mail-password or ${plain} \u001b[31mred`,
		});
		const outcome = JSON.stringify(await scene.send());
		expect(outcome).toContain("554");
		expect(outcome).not.toMatch(/fake-mail-password|\\u001b/);
		expect(outcome).not.toContain(plain.slice(4, -4));
	});
});
