import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { readSecret, type SecretInput } from "../../../src/cli/parts/read-secret.ts";

/** A terminal without its screen: it notes whether typed characters are shown. */
class Terminal extends PassThrough {
	readonly isTTY = true;
	isRaw = false;

	setRawMode(isRaw: boolean): void {
		this.isRaw = isRaw;
	}
}

function asked(input: SecretInput) {
	let written = "";
	const secret = readSecret(
		input,
		(text) => {
			written += text;
		},
		"Paste it: ",
	);
	return { secret, written: () => written };
}

it("a secret that is typed is not shown, and the terminal is as before afterwards", async () => {
	const terminal = new Terminal();
	const { secret, written } = asked(terminal);
	expect(terminal.isRaw).toBe(true);
	terminal.write("abx\u007fc\r");
	expect(await secret).toBe("abc\r");
	expect(written()).toBe("Paste it: \n");
	expect(terminal.isRaw).toBe(false);
});

it("a paste with a line break in it is taken whole, so that its end does not become a command", async () => {
	const terminal = new Terminal();
	const { secret } = asked(terminal);
	terminal.write("first half\nsecond half\n");
	expect(await secret).toBe("first half\nsecond half\n");
	expect(terminal.read()).toBeNull();
});

it("Ctrl+C ends it, Ctrl+D ends the input", async () => {
	const terminal = new Terminal();
	const { secret } = asked(terminal);
	terminal.write("abc\u0003");
	await expect(secret).rejects.toMatchObject({ code: "INVALID_INPUT" });
	expect(terminal.isRaw).toBe(false);
	const other = new Terminal();
	const ended = asked(other);
	other.write("abc\u0004");
	expect(await ended.secret).toBe("abc");
});

it("without a terminal all of standard input is read, and nothing is asked", async () => {
	const pipe = Object.assign(new PassThrough(), { isTTY: false, setRawMode: () => expect.fail("it is no terminal") });
	const { secret, written } = asked(pipe);
	pipe.end("one\ntwo\n");
	expect(await secret).toBe("one\ntwo\n");
	expect(written()).toBe("");
});
