import { AddressError } from "../set-up/channel-kind.ts";

/** What people put between the digits of a number. */
const BETWEEN = /[ .()\u{a0}\u{2010}\u{2011}-]/gu;
/** E.164: a country code that doesn't begin with 0, and 15 digits at most. Shorter ones than this are not numbers of a person. */
const NUMBER = /^\+[1-9]\d{6,14}$/;

/**
 * A phone number in the form of E.164, as `+66812345678`. A number without its country code is refused: which country it is of would be a guess.
 * @throws AddressError
 */
export function phoneAddress(given: string): string {
	const number = given.trim().replace(BETWEEN, "");
	if (NUMBER.test(number)) return number;
	throw new AddressError("A WhatsApp number begins with + and the country code, such as +66 81 234 5678.");
}
