import type { AuthProfile } from "@xworkmate/contracts";
import { accountWords } from "../../strings/agents/account-words.ts";
import { fill } from "../../strings/interface.ts";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { visibleName } from "../text/visible-text.ts";

const words = accountWords.removing;

interface RemoveAccountProps {
	/** The account to be removed; absent while the dialog is closed. */
	readonly profile: AuthProfile | undefined;
	remove(profile: AuthProfile): Promise<void>;
	close(): void;
}

/** Asks for confirmation before an account is removed. */
export function RemoveAccount({ profile, remove, close }: RemoveAccountProps) {
	const { profileId = "", variable } = profile ?? {};
	return (
		<ConfirmDialog
			isOpen={profile !== undefined}
			title={fill(words.title, { account: visibleName(profileId) })}
			say={variable === undefined ? words.key : fill(words.variable, { variable: visibleName(variable) })}
			cancel={words.cancel}
			word={accountWords.remove}
			isDanger
			confirm={() => profile && remove(profile)}
			close={close}
		/>
	);
}
