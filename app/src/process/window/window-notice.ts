import { z } from "zod";

const Notice = z.strictObject({ notice: z.strictObject({ title: z.string().max(100), body: z.string().max(300) }) });

/** A message from the page that asks for a system notification; undefined for any other message to the window. */
export function noticeOf(message: string): { readonly title: string; readonly body: string } | undefined {
	if (message.length > 2_000) return undefined;
	try {
		return Notice.safeParse(JSON.parse(message)).data?.notice;
	} catch {
		return undefined;
	}
}
