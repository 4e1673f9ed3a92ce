import { AddressError } from "../set-up/channel-kind.ts";

/** Characters that people write between the digits of a phone number. */
const BETWEEN = /[ .()\u{a0}\u{2010}\u{2011}-]/gu;
/** E.164: a country code that does not begin with 0, and 7 to 15 digits in total. Shorter numbers do not belong to a person. */
const NUMBER = /^\+[1-9]\d{6,14}$/;

/**
 * A phone number in E.164 form, such as `+66812345678`. A number without a country code is refused, because the country would be a guess.
 * @throws AddressError
 */
export function phoneAddress(given: string): string {
	const number = given.trim().replace(BETWEEN, "");
	if (NUMBER.test(number)) return number;
	throw new AddressError("A WhatsApp address must be a phone number that begins with + and the country code, such as +66 81 234 5678.");
}
