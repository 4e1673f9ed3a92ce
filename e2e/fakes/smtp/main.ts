/**
 * A mail server for tests, and for a look at what leaves: SMTP with STARTTLS, or TLS from the first byte (`--tls`), or neither (`--plain`), with
 * a certificate authority of its own, and one account. It delivers nowhere: each mail that it accepts is a file, synchronized with the disk
 * before the server says so.
 *
 *   node e2e/fakes/smtp/main.ts [--tls | --plain] [--prompt] [--size BYTES] [--folder FOLDER]
 *
 * It announces that it accepts messages of at most `--size`, or of any size. It waits 100 ms before it greets, or with `--prompt` greets at once.
 * Prints `{"url", "folder", "settings", "password"}` once it is listening: `settings` and `password` are what `xworkmate.channels.configure` wants
 * for the channel `email`. Ends on SIGTERM or when its standard input closes. At `url` it has, for tests:
 *
 *   POST /__fake/fault     how a next exchange goes wrong (`MailFault`)
 *   GET  /__fake/journal   [{connection, event, ...}], what happened (`MailEvent`)
 *   GET  /__fake/mails     [{file, from, to}], what was accepted
 */
import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stdin } from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { greetAtOnce } from "./greet-at-once.ts";
import { MailFault } from "./mail-fault.ts";
import { MailHost } from "./mail-host.ts";

const { values } = parseArgs({
	options: {
		...{ tls: { type: "boolean" }, plain: { type: "boolean" }, prompt: { type: "boolean" } },
		...{ size: { type: "string" }, folder: { type: "string" } },
	},
});
if (values.prompt === true) greetAtOnce();
const security = values.plain === true ? "none" : values.tls === true ? "tls" : "starttls";
const folder = values.folder ?? (await mkdtemp(join(tmpdir(), "fake-smtp-")));
const account = { user: "mira@mail.example", password: "fake-mail-password" };
const host = new MailHost({ folder, security, account, size: values.size === undefined ? undefined : Number(values.size) });
const port = await host.listen();

const control = createServer((request, response) => {
	const parts: Buffer[] = [];
	request.on("data", (part: Buffer) => parts.push(part));
	request.on("end", () => {
		if (request.url === "/__fake/fault") {
			host.faults.push(MailFault.parse(JSON.parse(Buffer.concat(parts).toString("utf8"))));
			response.writeHead(204).end();
		} else response.writeHead(200).end(JSON.stringify(request.url === "/__fake/mails" ? host.mails : host.journal));
	});
});
control.listen(0, "127.0.0.1", () => {
	const address = control.address();
	if (address === null || typeof address === "string") throw new Error("the fake mail server's control listens on no port");
	const caFile = fileURLToPath(new URL("authority.pem", import.meta.url));
	// A password is never sent without TLS, so a plain server has no account.
	const signIn = security === "none" ? {} : { user: account.user, caFile };
	const settings = { host: "127.0.0.1", port, security, from: account.user, ...signIn };
	const url = `http://127.0.0.1:${address.port}`;
	console.log(JSON.stringify({ url, folder, settings, ...(security !== "none" && { password: account.password }) }));
});

const end = () => {
	host.close();
	control.close();
	control.closeAllConnections();
	stdin.destroy();
};
process.once("SIGTERM", end);
stdin.once("end", end).once("error", end).resume();
