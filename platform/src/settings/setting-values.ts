import { isAbsolute } from "node:path";
import { z } from "zod";

export const absolutePath = z.string().refine(isAbsolute, "must be an absolute path");
export const hostName = z
	.string()
	.regex(/^[A-Za-z0-9.-]+$|^\[[0-9a-fA-F:.]+\]$/, "must be a host name without a port")
	.transform((name) => name.toLowerCase());
export const origin = z
	.string()
	.refine((text) => URL.canParse(text) && new URL(text).origin === text, "must be an origin, such as https://host");
export const token = z.string().regex(/^[\x21-\x7e]+$/, "must be printable ASCII without spaces");

export const webAddress = z.url({ protocol: /^https?$/, error: "must be an http or https address" });
export const snowflake = z.string().regex(/^\d{1,20}$/, "must be a numeric ID, as copied from Discord");
