import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { SMTPServer, type SMTPServerAddress, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import type { MailFault, MailStage } from "./mail-fault.ts";

export interface MailHostOptions {
	readonly folder: string;
	readonly security: "tls" | "starttls" | "none";
	readonly account: { readonly user: string; readonly password: string };
	/** The largest message that it announces to accept, in bytes. Absent: it accepts any. */
	readonly size?: number | undefined;
}

/** One thing that happened. `content`: bytes of the message that had come by then. `at`: milliseconds since the epoch. */
export interface MailEvent {
	/** 1 for the first. */
	readonly connection: number;
	readonly event: "connect" | "secure" | "auth" | "mail" | "rcpt" | "data" | "dot" | "accepted" | "close" | "fault";
	readonly content: number;
	readonly at: number;
	readonly detail?: string;
}

export interface AcceptedMail {
	readonly file: string;
	readonly from: string;
	readonly to: readonly string[];
}

type Done = (error?: Error | null) => void;

interface Visit {
	readonly number: number;
	readonly socket: Socket;
	content: number;
	/** Its recipient was refused, and the message asked for all the same. */
	isForNobody?: boolean;
}

/** A mail server that keeps what it accepts, and goes wrong as it is told. */
export class MailHost {
	readonly faults: MailFault[] = [];
	readonly journal: MailEvent[] = [];
	readonly mails: AcceptedMail[] = [];
	readonly #options: MailHostOptions;
	readonly #server: SMTPServer;
	/** By the visitor's port. */
	readonly #visits = new Map<number, Visit>();
	#count = 0;

	constructor(options: MailHostOptions) {
		this.#options = options;
		const { security, account, size } = options;
		this.#server = new SMTPServer({
			...(size !== undefined && { size }),
			secure: security === "tls",
			key: ownFile("server-key.pem"),
			cert: ownFile("server.pem"),
			disabledCommands: security === "none" ? ["STARTTLS", "AUTH"] : [],
			authMethods: ["PLAIN", "LOGIN"],
			authOptional: security === "none",
			disableReverseLookup: true,
			closeTimeout: 100,
			onConnect: (session, done) => this.#step("greeting", "connect", session, done),
			onSecure: (_socket, session, done) => {
				this.#note(session, "secure");
				done();
			},
			onAuth: (auth, session, done) => {
				const isKnown = auth.username === account.user && auth.password === account.password;
				const refusal = Object.assign(new Error("5.7.8 wrong user or password"), { responseCode: 535 });
				this.#step("auth", "auth", session, (error) => done(error ?? (isKnown ? null : refusal), { user: auth.username }));
			},
			onMailFrom: (address, session, done) => this.#step("mail", "mail", session, done, address.address),
			onRcptTo: (address, session, done) => this.#name(address, session, done),
			onData: (stream, session, done) => this.#take(stream, session, done),
			// Of one who went away before the greeting nothing is known.
			onClose: (session) => this.#visits.has(session.remotePort) && this.#note(session, "close"),
		});
		// A visitor who goes away in the middle is nothing to stop for.
		this.#server.on("error", () => undefined);
		this.#server.server.on("connection", (socket: Socket) => {
			this.#count += 1;
			this.#visits.set(socket.remotePort ?? 0, { number: this.#count, socket, content: 0 });
		});
	}

	listen(): Promise<number> {
		return new Promise((resolve, reject) => {
			this.#server.listen(0, "127.0.0.1", () => {
				const address = this.#server.server.address();
				if (address === null || typeof address === "string") reject(new Error("the fake mail server listens on no port"));
				else resolve(address.port);
			});
		});
	}

	close(): void {
		this.#server.close(() => undefined);
		for (const { socket } of this.#visits.values()) socket.destroy();
	}

	#step(stage: MailStage, event: MailEvent["event"], session: SMTPServerSession, done: Done, detail?: string): void {
		this.#note(session, event, detail);
		if (!this.#goesWrong(stage, session, done)) done();
	}

	#name(recipient: SMTPServerAddress, session: SMTPServerSession, done: Done): void {
		const fault = this.faults.find(({ stage }) => stage === "rcpt");
		// The library asks for a message only if it has a recipient.
		if (fault?.asks === true) {
			session.envelope.rcptTo.push(recipient);
			this.#visit(session).isForNobody = true;
		}
		this.#step("rcpt", "rcpt", session, done, recipient.address);
	}

	#take(stream: SMTPServerDataStream, session: SMTPServerSession, done: Done): void {
		const visit = this.#visit(session);
		visit.content = 0;
		this.#note(session, "data");
		const parts: Buffer[] = [];
		stream.on("data", (part: Buffer) => {
			parts.push(part);
			visit.content += part.length;
			const fault = this.faults.find(({ stage, bytes }) => stage === "data" && visit.content >= bytes);
			if (fault === undefined) return;
			this.#goesWrong("data", session, done);
			// What isn't read fills the buffers between here and the sender, who can't give the rest.
			if (fault.kind === "hang") stream.pause();
		});
		stream.on("end", () => {
			this.#note(session, "dot");
			if (visit.isForNobody) return;
			if (this.#goesWrong("dot", session, done)) return;
			this.#accept(Buffer.concat(parts), session);
			if (!this.#goesWrong("stored", session, done)) done();
		});
	}

	#accept(bytes: Buffer, session: SMTPServerSession): void {
		const path = join(this.#options.folder, `${String(this.mails.length + 1).padStart(4, "0")}.eml`);
		const file = openSync(path, "wx");
		writeSync(file, bytes);
		fsyncSync(file);
		closeSync(file);
		const { mailFrom, rcptTo } = session.envelope;
		this.mails.push({ file: path, from: mailFrom === false ? "" : mailFrom.address, to: rcptTo.map(({ address }) => address) });
		this.#note(session, "accepted", path);
	}

	/** Whether a fault has taken over: `done` is called by it, or never. */
	#goesWrong(stage: MailStage, session: SMTPServerSession, done: Done): boolean {
		const fault = this.faults.find((one) => one.stage === stage);
		if (fault === undefined) return false;
		if (fault.times === 1) this.faults.splice(this.faults.indexOf(fault), 1);
		else this.faults[this.faults.indexOf(fault)] = { ...fault, times: fault.times - 1 };
		this.#note(session, "fault", `${fault.kind} at ${stage}`);
		if (fault.kind === "answer") done(Object.assign(new Error(fault.text), { responseCode: fault.code }));
		if (fault.kind === "cut") this.#visit(session).socket.resetAndDestroy();
		return true;
	}

	#visit({ remotePort }: SMTPServerSession): Visit {
		const visit = this.#visits.get(remotePort);
		if (visit === undefined) throw new Error("nobody came from this port");
		return visit;
	}

	#note(session: SMTPServerSession, event: MailEvent["event"], detail?: string): void {
		const { number, content } = this.#visit(session);
		this.journal.push({ connection: number, event, content, at: Date.now(), ...(detail !== undefined && { detail }) });
	}
}

function ownFile(name: string): Buffer {
	return readFileSync(new URL(name, import.meta.url));
}
