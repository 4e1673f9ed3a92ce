import { domainToASCII } from "node:url";
import { z } from "zod";
import { AddressError } from "../set-up/channel-kind.ts";

const MOST = 254;
const Address = z.email({ pattern: z.regexes.html5Email });
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u;

/**
 * An address as it is written in an envelope and in headers: ASCII, with the domain in lower case and in its encoded form, so that a
 * lookalike of another domain can be recognized.
 * @throws AddressError
 */
export function emailAddress(given: string): string {
	const text = given.trim();
	if (HIDDEN.test(text)) throw new AddressError("An email address can't contain spaces or hidden characters.");
	const at = text.lastIndexOf("@");
	const domain = at < 1 ? "" : domainToASCII(text.slice(at + 1));
	if (domain === "") throw new AddressError("An email address must have the form name@example.org.");
	const local = text.slice(0, at);
	if (!/^[\x21-\x7e]+$/.test(local)) throw new AddressError("XWorkmate supports only ASCII characters before the @ of an email address.");
	const address = `${local}@${domain}`;
	if (address.length > MOST || !domain.includes(".") || !Address.safeParse(address).success)
		throw new AddressError("An email address must have the form name@example.org.");
	return address;
}

/** The domain of an address made by `emailAddress`. */
export function domainOf(address: string): string {
	return address.slice(address.lastIndexOf("@") + 1);
}
