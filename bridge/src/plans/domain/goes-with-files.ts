import type { DeliveryAction } from "@xworkmate/contracts";

/** True if the run's files are sent with the message. A message in the inbox has no attachments. */
export function goesWithFiles({ attach, channel }: Pick<DeliveryAction, "attach" | "channel">): boolean {
	return attach === true && channel !== "dashboard";
}
