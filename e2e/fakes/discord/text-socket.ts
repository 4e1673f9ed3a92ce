import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

const ACCEPT = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const TEXT = 1;
const CLOSE = 8;
const PING = 9;

/** The server's end of a WebSocket (RFC 6455) that carries whole texts: enough for a gateway. */
export class TextSocket {
	readonly #stream: Duplex;
	#read = Buffer.alloc(0);
	#parts: Buffer[] = [];
	onText: (text: string) => void = () => {};
	onEnd: () => void = () => {};

	constructor(request: IncomingMessage, stream: Duplex) {
		this.#stream = stream;
		const key = createHash("sha1").update(`${request.headers["sec-websocket-key"]}${ACCEPT}`).digest("base64");
		stream.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`);
		stream.on("data", (bytes: Buffer) => this.#take(bytes));
		stream.on("error", () => stream.destroy());
		stream.on("close", () => this.onEnd());
	}

	send(text: string): void {
		this.#write(TEXT, Buffer.from(text));
	}

	close(code: number): void {
		const body = Buffer.alloc(2);
		body.writeUInt16BE(code);
		this.#write(CLOSE, body);
		this.#stream.end();
	}

	/** Without a word, as when a cable is cut. */
	cut(): void {
		this.#stream.destroy();
	}

	#write(opcode: number, body: Buffer): void {
		if (this.#stream.destroyed || this.#stream.writableEnded) return;
		const length = body.length < 126 ? Buffer.from([body.length]) : Buffer.alloc(body.length < 65_536 ? 3 : 9);
		if (length.length === 3) {
			length[0] = 126;
			length.writeUInt16BE(body.length, 1);
		} else if (length.length === 9) {
			length[0] = 127;
			length.writeBigUInt64BE(BigInt(body.length), 1);
		}
		this.#stream.write(Buffer.concat([Buffer.from([0x80 | opcode]), length, body]));
	}

	#take(bytes: Buffer): void {
		this.#read = Buffer.concat([this.#read, bytes]);
		for (let frame = this.#frame(); frame !== undefined; frame = this.#frame()) this.#handle(frame);
	}

	#handle({ opcode, isLast, body }: Frame): void {
		if (opcode === CLOSE) {
			this.#write(CLOSE, body);
			this.#stream.end();
		} else if (opcode === PING) this.#write(10, body);
		else if (opcode <= 2) {
			this.#parts.push(body);
			if (!isLast) return;
			const text = Buffer.concat(this.#parts).toString("utf8");
			this.#parts = [];
			this.onText(text);
		}
	}

	/** The next whole frame; undefined until all of it is there. A client's frames are masked. */
	#frame(): Frame | undefined {
		const read = this.#read;
		if (read.length < 2) return undefined;
		const [first = 0, second = 0] = read;
		const short = second & 0x7f;
		const start = short === 126 ? 4 : short === 127 ? 10 : 2;
		if (read.length < start + 4) return undefined;
		const length = short === 126 ? read.readUInt16BE(2) : short === 127 ? Number(read.readBigUInt64BE(2)) : short;
		const end = start + 4 + length;
		if (read.length < end) return undefined;
		const mask = read.subarray(start, start + 4);
		const body = Buffer.from(read.subarray(start + 4, end).map((byte, index) => byte ^ (mask[index % 4] ?? 0)));
		this.#read = read.subarray(end);
		return { opcode: first & 0x0f, isLast: (first & 0x80) !== 0, body };
	}
}

interface Frame {
	readonly opcode: number;
	readonly isLast: boolean;
	readonly body: Buffer;
}
