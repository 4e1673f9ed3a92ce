import { KeyRound } from "lucide-react";
import { words } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";
import { hrefOf } from "../state/route.ts";

/** A link to Settings > Accounts, where the user adds the account that the assistant needs. */
export function AddAccountLink() {
	return (
		<a className="btn" href={hrefOf({ page: "settings", part: "accounts" })}>
			<Icon of={KeyRound} />
			{words.first.addAccount}
		</a>
	);
}
