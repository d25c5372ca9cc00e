/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_NPY_H
#define DCN_NPY_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief An array of numbers that NumPy has saved (.npy, versions 1 to 3).
 *
 * Types are integers of 1, 2, 4 and 8 bytes and numbers of 4 and 8 bytes, little-endian; an array
 * has one or two dimensions, in the order of C or Fortran. Everything else is refused by a
 * sentence: no memory is taken before the file is seen to be as long as its header says.
 */
class DcnNpy
{
  public:
    /**
     * @param path the file
     * @throws DcnError if it cannot be read, or is no such array
     */
    explicit DcnNpy(const std::string& path);

    /** @return length of the first dimension. */
    std::size_t GetNRows() const;

    /** @return length of the second dimension; 1 if there is one dimension. */
    std::size_t GetNColumns() const;

    /**
     * @param row position, 0-based
     * @param column position, 0-based
     * @param what meaning of the number, for sentences
     * @param least smallest number
     * @param most largest number
     * @return the number
     * @throws DcnError if it has a fraction or is outside of the range
     */
    int64_t GetWhole(std::size_t row,
                     std::size_t column,
                     const std::string& what,
                     int64_t least,
                     int64_t most) const;

  private:
    /// Takes the header apart: type, order, shape.
    void ReadHeader(const std::string& header);
    /// Refuses the file.
    [[noreturn]] void Fail(const std::string& reason) const;

    std::string m_path;        //!< the file
    char m_kind{'i'};          //!< i, u or f
    std::size_t m_bytes{8};    //!< of a number
    bool m_isFortran{false};   //!< columns one after the other
    std::size_t m_nRows{0};    //!< see GetNRows
    std::size_t m_nColumns{1}; //!< see GetNColumns
    std::vector<char> m_data;  //!< the numbers
};

} // namespace ns3

#endif /* DCN_NPY_H */
