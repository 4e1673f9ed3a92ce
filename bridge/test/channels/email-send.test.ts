import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JONAS, MailScene, MIRA } from "./mail-scene.ts";

let scene: MailScene;
beforeAll(async () => {
	scene = await MailScene.open();
});
afterAll(async () => await scene[Symbol.asyncDispose]());

describe("[T2-61] a mail that is handed over", () => {
	it("arrives once, byte for byte as it was built, over a connection that is encrypted and signed in", async () => {
		const before = (await scene.smtp.mails()).length;
		const { payload, providerMessageId } = await scene.built();
		const outcome = await scene.channel.send(payload, async () => undefined, new AbortController().signal);
		expect(outcome).toEqual({ kind: "accepted", proof: "accepted" });
		const mails = await scene.smtp.mails();
		expect(mails.length).toBe(before + 1);
		const mail = mails.at(-1);
		expect(mail?.bytes.equals(payload.bytes)).toBe(true);
		expect([mail?.from, mail?.to, mail?.read.messageId]).toEqual([MIRA, [JONAS], providerMessageId]);
		const connection = (await scene.smtp.journal()).filter((event) => event.connection === before + 1);
		expect(connection.map(({ event }) => event).filter((event) => event !== "close")).toEqual([
			"connect",
			"secure",
			"auth",
			"mail",
			"rcpt",
			"data",
			"dot",
			"accepted",
		]);
	});

	it("is on record before its first byte leaves, and after the server asked for it", async () => {
		const { payload } = await scene.built();
		const refusal = new Error("the disk is full");
		let asked = 0;
		const sending = scene.channel.send(
			payload,
			async () => {
				const last = (await scene.smtp.journal()).at(-1);
				if (last?.event === "data") asked = last.connection;
				throw refusal;
			},
			new AbortController().signal,
		);
		await expect(sending).rejects.toBe(refusal);
		const journal = await scene.smtp.noted("the end of the connection", (events) =>
			events.some(({ connection, event }) => connection === asked && event === "close"),
		);
		const ended = journal.filter(({ connection, event }) => connection === asked && event === "close");
		expect(asked).toBeGreaterThan(0);
		expect(ended.map(({ content }) => content)).toEqual([0]);
	});

	it("has a Message-ID of its own in the sender's domain, if it is a test message", async () => {
		for (const _ of [1, 2]) expect((await scene.channel.test(JONAS, new AbortController().signal)).ok).toBe(true);
		const [one, other] = (await scene.smtp.mails()).slice(-2).map(({ read }) => read.messageId);
		expect(one).toMatch(/^<test-[\da-f-]{36}@mail\.example>$/);
		expect(other).toMatch(/^<test-[\da-f-]{36}@mail\.example>$/);
		expect(one).not.toBe(other);
	});

	it("uses a connection of its own for each message", async () => {
		const before = Math.max(...(await scene.smtp.journal()).map(({ connection }) => connection));
		await scene.send();
		await scene.send();
		const journal = (await scene.smtp.journal()).filter(({ connection, event }) => connection > before && event === "accepted");
		expect(new Set(journal.map(({ connection }) => connection)).size).toBe(2);
	});
});

const held = (code: string) => ({ kind: "held", code });
const refused = (code: string) => ({ kind: "refused", code });
const passing = { kind: "passing" };
const unknown = { kind: "no_answer" };

describe("[T2-67] what happened to a mail is known from the phase and the answer", () => {
	it.for([
		["greeting", 421, "too many connections", passing, 0],
		["greeting", 554, "no service here", held("CHANNEL_BLOCKED"), 0],
		["auth", 454, "4.7.0 try later", passing, 0],
		["auth", 535, "5.7.8 bad credentials", held("CHANNEL_AUTH"), 0],
		["mail", 451, "not now", passing, 0],
		["mail", 550, "5.7.1 you may not send", held("CHANNEL_BLOCKED"), 0],
		["mail", 530, "5.7.0 sign in first", held("CHANNEL_AUTH"), 0],
		["mail", 552, "too large", refused("CONTENT_REFUSED"), 0],
		["rcpt", 450, "greylisted", passing, 0],
		["rcpt", 550, "no such user", refused("RECIPIENT_REFUSED"), 0],
		["rcpt", 554, "5.7.1 relay access denied", held("CHANNEL_BLOCKED"), 0],
		["dot", 421, "closing", passing, 1],
		["dot", 451, "try later", passing, 1],
		["dot", 552, "too much", refused("CONTENT_REFUSED"), 1],
		["dot", 554, "spam", refused("CONTENT_REFUSED"), 1],
		["dot", 550, "5.1.1 no such user", refused("RECIPIENT_REFUSED"), 1],
	] as const)("answered %s: %i %s", async ([stage, code, text, outcome, handedOver]) => {
		const before = (await scene.smtp.mails()).length;
		await scene.smtp.fail({ stage, kind: "answer", code, text });
		const end = await scene.send();
		expect(end).toMatchObject({ ...outcome, handedOver });
		expect((await scene.smtp.mails()).length).toBe(before);
	});

	it.for([
		[550, "5.1.1 no such user", refused("RECIPIENT_REFUSED"), /refused the recipient: 550 5\.1\.1 no such user$/],
		[450, "4.2.0 Greylisted", passing, /temporarily refused the recipient: 450 4\.2\.0 Greylisted$/],
	] as const)(
		"a recipient refused with %i %s decides, also if the server asks for the message all the same",
		async ([code, text, outcome, message]) => {
			// The server says nothing more: a channel that waited for it would say that the server was silent.
			await using hasty = await MailScene.open("starttls", 2_000);
			await hasty.smtp.fail({ stage: "rcpt", kind: "answer", code, text, asks: true });
			expect(await hasty.send()).toMatchObject({ ...outcome, handedOver: 0, message: expect.stringMatching(message) });
			const journal = await hasty.smtp.noted("the end of the connection", (events) => events.some(({ event }) => event === "close"));
			expect(journal.filter(({ event, content }) => event === "dot" || content > 0)).toEqual([]);
		},
	);

	it.for([
		["greeting", passing, 0],
		["auth", passing, 0],
		["mail", passing, 0],
		["rcpt", passing, 0],
		["dot", unknown, 1],
		["stored", unknown, 1],
	] as const)("cut at %s", async ([stage, outcome, handedOver]) => {
		const before = (await scene.smtp.mails()).length;
		await scene.smtp.fail({ stage, kind: "cut" });
		const end = await scene.send();
		expect(end).toMatchObject({ ...outcome, handedOver });
		if (end.kind === "passing") expect(end.message).toContain("closed the connection");
		expect((await scene.smtp.mails()).length).toBe(before + (stage === "stored" ? 1 : 0));
	});

	it("cut while most of a large message had not left", async () => {
		const before = (await scene.smtp.mails()).length;
		await scene.smtp.fail({ stage: "data", kind: "cut", bytes: 200_000 });
		const files = [{ name: "large.bin", mediaType: "application/octet-stream", bytes: new Uint8Array(12_000_000) }];
		expect(await scene.send({ files })).toMatchObject({ ...passing, handedOver: 1 });
		expect((await scene.smtp.mails()).length).toBe(before);
	});

	it.for([
		["greeting", passing],
		["auth", passing],
		["mail", passing],
		["rcpt", passing],
		["dot", unknown],
		["stored", unknown],
	] as const)("silent at %s until nobody waits any longer", async ([stage, outcome]) => {
		await scene.smtp.fail({ stage, kind: "hang" });
		const stop = new AbortController();
		const sending = scene.send({}, stop.signal);
		const silence = await scene.smtp.noted("the silence", (events) => events.at(-1)?.detail === `hang at ${stage}`);
		stop.abort();
		expect(await sending).toMatchObject(outcome);
		const { connection } = silence.at(-1) ?? {};
		await scene.smtp.noted("the end of the connection", (events) =>
			events.some((event) => event.connection === connection && event.event === "close"),
		);
	});

	it.for([
		["dot", unknown, 1, /may have received the whole message, but did not say/],
		["rcpt", passing, 0, /did not ask for the message in time\.$/],
		["auth", passing, 0, /did not finish the sign-in in time\.$/],
	] as const)(
		"silent at %s for longer than the channel waits, which is not what the server did",
		async ([stage, outcome, handedOver, message]) => {
			await using hasty = await MailScene.open("starttls", 300);
			await hasty.smtp.fail({ stage, kind: "hang" });
			expect(await hasty.send()).toMatchObject({ ...outcome, handedOver, message: expect.stringMatching(message) });
		},
	);

	it("no greeting: the server was reached, and may expect TLS from the start", async () => {
		await using hasty = await MailScene.open("starttls", 60_000, 1_000);
		await hasty.smtp.fail({ stage: "greeting", kind: "hang", times: 2 });
		const message = expect.stringContaining("was reached, but sent no greeting in time");
		expect(await hasty.send()).toMatchObject({ ...passing, handedOver: 0, message });
		const { problem } = await hasty.channel.test(JONAS, new AbortController().signal);
		expect(problem).toMatchObject({ message, fix: expect.stringContaining("set the encryption (`security`) to TLS") });
	});

	it("put off by a test's server: it asks for patience, not for another host", async () => {
		const tested = async () => (await scene.channel.test(JONAS, new AbortController().signal)).problem?.fix;
		await scene.smtp.fail({ stage: "rcpt", kind: "answer", code: 451, text: "greylisted" });
		expect(await tested()).toMatch(/^Wait a few minutes/);
		await scene.smtp.fail({ stage: "greeting", kind: "cut" });
		expect(await tested()).toMatch(/^Check the host/);
	});

	it("given up before it began", async () => {
		expect(await scene.send({}, AbortSignal.abort())).toMatchObject({ ...passing, handedOver: 0 });
	});

	it("nobody there", async () => {
		await using gone = await MailScene.open();
		await gone.smtp[Symbol.asyncDispose]();
		expect(await gone.send()).toMatchObject({ ...passing, handedOver: 0 });
	});
});
