import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeFrame, encodeFrame, FRAME_PREFIX_BYTES, FrameError } from "../../../src/processes/frames/frame.ts";
import { FrameReader } from "../../../src/processes/frames/frame-reader.ts";

const bounds = { bytes: 2 ** 20, headBytes: 2 ** 16 };
const frames = fc.array(
	fc.record({ head: fc.jsonValue(), texts: fc.array(fc.string({ unit: "grapheme", maxLength: 3000 }), { maxLength: 4 }) }),
	{
		minLength: 1,
		maxLength: 5,
	},
);

/** The same bytes in pieces of any size. */
function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
	const pieces: Buffer[] = [];
	for (let at = 0, index = 0; at < bytes.length; index++) {
		const size = sizes[index % sizes.length] ?? 1;
		pieces.push(bytes.subarray(at, at + size));
		at += size;
	}
	return pieces;
}

describe("frames", () => {
	it("come out as they went in, however the pipe cuts them", () => {
		fc.assert(
			fc.property(frames, fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 10 }), (sent, sizes) => {
				const reader = new FrameReader(bounds);
				const heard: unknown[] = [];
				for (const piece of cut(Buffer.concat(sent.map(({ head, texts }) => encodeFrame(head, texts))), sizes)) {
					reader.push(piece);
					for (let frame = reader.next(); frame !== undefined; frame = reader.next()) {
						heard.push({ head: frame.head, texts: frame.texts.map((text) => Buffer.from(text).toString("utf8")) });
					}
				}
				expect(heard).toEqual(JSON.parse(JSON.stringify(sent)));
				expect(reader.held).toBe(0);
			}),
		);
	});

	it("that are none are refused, never misread", () => {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
				try {
					const { texts } = decodeFrame(Buffer.from(bytes), bounds.headBytes);
					expect(texts.reduce((sum, text) => sum + text.length, 0)).toBeLessThanOrEqual(bytes.length);
				} catch (error) {
					expect(error).toBeInstanceOf(FrameError);
				}
			}),
		);
	});

	it("larger than allowed are refused as soon as they say so, before they have come", () => {
		const reader = new FrameReader({ bytes: 1000, headBytes: 100 });
		reader.push(encodeFrame({}, ["x".repeat(1001)]).subarray(0, FRAME_PREFIX_BYTES));
		expect(() => reader.announced).toThrow(FrameError);
		expect(() => reader.next()).toThrow(FrameError);
	});

	it("with a head larger than allowed are refused before it is parsed", () => {
		const reader = new FrameReader({ bytes: 1000, headBytes: 100 });
		reader.push(encodeFrame({ name: "x".repeat(200) }));
		expect(() => reader.next()).toThrow(FrameError);
	});
});
