import { crc32, deflateSync } from "node:zlib";

/** Small complete files of types that a browser shows, generated so that the repository contains no binaries. */

/** A page of 200 by 120 points that says `text`. */
export function samplePdf(text: string): Buffer {
	const stream = `BT /F1 18 Tf 20 60 Td (${text}) Tj ET`;
	const objects = [
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 120] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	];
	let body = "%PDF-1.4\n";
	const places = objects.map((object, index) => {
		const place = body.length;
		body += `${index + 1} 0 obj\n${object}\nendobj\n`;
		return `${String(place).padStart(10, "0")} 00000 n \n`;
	});
	const size = objects.length + 1;
	const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join("")}`;
	return Buffer.from(`${body}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`);
}

/** One second of a tone, 8 kHz, 8 bit, one channel. */
export function sampleWav(): Buffer {
	const rate = 8_000;
	const header = Buffer.alloc(44);
	header.write("RIFF", 0);
	header.writeUInt32LE(36 + rate, 4);
	header.write("WAVEfmt ", 8);
	for (const [at, value] of [[16, 16] as const, [24, rate] as const, [28, rate] as const, [40, rate] as const])
		header.writeUInt32LE(value, at);
	for (const [at, value] of [[20, 1] as const, [22, 1] as const, [32, 1] as const, [34, 8] as const]) header.writeUInt16LE(value, at);
	header.write("data", 36);
	return Buffer.concat([header, Buffer.from(Array.from({ length: rate }, (_, at) => 128 + Math.round(60 * Math.sin(at / 3))))]);
}

/** 4 by 4 pixels of one grey. */
export function samplePng(): Buffer {
	const head = Buffer.from([0, 0, 0, 4, 0, 0, 0, 4, 8, 0, 0, 0, 0]);
	const rows = deflateSync(Buffer.from(Array.from({ length: 4 }, () => [0, 90, 90, 90, 90]).flat()));
	const chunks = [chunk("IHDR", head), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))];
	return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ...chunks]);
}

function chunk(type: string, data: Buffer): Buffer {
	const body = Buffer.concat([Buffer.from(type), data]);
	const length = Buffer.alloc(4);
	length.writeUInt32BE(data.length);
	const sum = Buffer.alloc(4);
	sum.writeUInt32BE(crc32(body));
	return Buffer.concat([length, body, sum]);
}

/** A third of a second, 32 by 32 pixels, VP8; recorded from a canvas. */
export const sampleWebm = Buffer.from(
	[
		"GkXfo59ChoEBQveBAULygQRC84EIQoKEd2VibUKHgQRChYECGFOAZwEAAAAAAAJDEU2bdLlNu4tTq4QVSalmU6yBbk27i1OrhBZUrmtTrIGTTbuLU6uEH0O2",
		"dVOsgdRNu4xTq4QcU7trU6yCAjHsrgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAVSalmoCrXsYMPQkBEiYRDlgAATYCG",
		"Q2hyb21lV0GGQ2hyb21lFlSua7yuuteBAXPFh5YzBQ5Sxd2DgQFV7oEBhoVWX1ZQOOCdsIEguoEgU8CBAVWwkFWxgQFVuYECVbqBDVW7gQEfQ7Z1AQAAAAAA",
		"AVHngQCg6KG9gQAAALACAJ0BKiAAIAACRwiFhYiZhIgMggHYB/AEFsbiAsD+8QqP//6TZ4mzxNnySP//izkYjsxaiCYaAHWhpqak7oEBpZ8wAgCdASogACAA",
		"BwcIhYWImYSIJgIAB5DzycD+8F0AoMqhqoEAZADxAQAJEIAAGAnTyyDblHAXucD+795f/zNExzH7V/++o/w8f41ugHWhmKaW7oEBpZGxAQAcETwAGAAYWC/0",
		"AAhwAPuBAKDKoaqBAMcA0QEACRBUABgAHlf0DABBDgD+8mav/VofLQ+Wh+59/8pV4LG5vgB1oZimlu6BAaWRsQEAHBEsABgAGFgv9AAIcAD7gWSgyqGqgQEs",
		"ANEBAAkQRAAYAB5X9AwAQQ4A/vRRH/7B39B39B3+qZ/8wSvyDdcgdaGYppbugQGlkbEBABwRHAAYABhYL/QACHAA+4HHHFO7a427i7OBALeG94EB8YHU",
	].join(""),
	"base64",
);
