/** How a receiver verifies that a request comes from the service, by language. Tests run some of it. */
import java from '../../verify/Verify.java?raw';
import go from '../../verify/verify.go?raw';
import node from '../../verify/verify.mjs?raw';
import php from '../../verify/verify.php?raw';
import python from '../../verify/verify.py?raw';
import ruby from '../../verify/verify.rb?raw';

export const VERIFY_CODE: Readonly<Record<string, string>> = {
  'Node.js': node,
  Python: python,
  Go: go,
  Ruby: ruby,
  PHP: php,
  Java: java,
};
