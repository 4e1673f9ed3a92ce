import type { Approval, Timestamp } from "@xworkmate/contracts";
import { diskFull, isDiskFull } from "../ports/disk-full.ts";

/** Revoked grants. They cover nothing from the moment of the revocation, even if they were read from the store before. */
export class RevokedGrants {
	readonly #revoked = new Set<string>();
	/** When a grant was revoked whose revocation could not be written, and so ends with this process. */
	readonly #unwritten = new Map<string, Timestamp>();

	has(approvalId: string): boolean {
		return this.#revoked.has(approvalId);
	}

	/**
	 * Revokes a grant, then calls `write`, whose result it returns.
	 * @throws ContractError DISK_FULL (the grant is off until the bridge starts again), and as `write`
	 */
	async add(approvalId: string, at: Timestamp, write: (at: Timestamp) => Promise<boolean>): Promise<boolean> {
		this.#revoked.add(approvalId);
		try {
			const applied = await write(at);
			this.#unwritten.delete(approvalId);
			return applied;
		} catch (error) {
			this.#unwritten.set(approvalId, at);
			if (!isDiskFull(error)) throw error;
			throw diskFull("the permission is revoked only until the bridge starts again; revoke it again once there is space", error);
		}
	}

	/** The grants in force, and those whose revocation is not written, with `revokedAt`, because the user has to revoke them again. */
	listed(grants: readonly Approval[]): readonly Approval[] {
		return grants.flatMap((grant) => {
			const revokedAt = this.#unwritten.get(grant.approvalId);
			if (revokedAt !== undefined) return [{ ...grant, revokedAt }];
			return this.has(grant.approvalId) ? [] : [grant];
		});
	}
}
